/** A JSON Schema, as far as our own schemas use it. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
};

type Row = { readonly path: string; readonly type: string; readonly meaning: string };

/** The fields of an object as a Markdown table; `a.b` is in `a`, `a[].b` in each of a list, `?` may be absent. */
export function fieldTable(schema: Schema, leftOut: readonly string[] = []): string[] {
  const rows = rowsOf(schema, '', leftOut);
  if (rows.length === 0) return [];
  const lines = rows.map(({ path, type, meaning }) => `| \`${path}\` | ${type} | ${meaning} |`);
  return ['| field | type | meaning |', '| --- | --- | --- |', ...lines, ''];
}

function rowsOf(schema: Schema, above: string, leftOut: readonly string[]): Row[] {
  const variants = schema.anyOf ?? [schema];
  const isOneOfMany = variants.length > 1;
  return variants.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(
        ([name]) => !leftOut.some((path) => path === above + name || (path.endsWith('.') && above.startsWith(path))),
      )
      .flatMap(([name, field]) => {
        const path = `${above}${name}`;
        const mark = required.includes(name) && !isOneOfMany ? '' : '?';
        const inner = field.items ?? field;
        const own = { path: path + mark, type: typeOf(field), meaning: field.description ?? '' };
        const below = rowsOf(inner, `${path}${field.items ? '[]' : ''}.`, leftOut);
        // A mere box of fields says nothing that they do not say.
        return below.length > 0 && own.meaning === '' && mark === '' ? below : [own, ...below];
      }),
  );
}

function typeOf({ type, const: only, enum: values, items, anyOf }: Schema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (items) return `list of ${typeOf(items)}`;
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  return type === undefined ? 'anything' : [type].flat().join(' or ');
}
