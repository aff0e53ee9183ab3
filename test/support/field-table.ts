/** A JSON Schema, as far as our own schemas use it. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
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
  const { properties, required } = merged(schema);
  return Object.entries(properties)
    .filter(
      ([name]) => !leftOut.some((path) => path === above + name || (path.endsWith('.') && above.startsWith(path))),
    )
    .flatMap(([name, field]) => {
      const path = `${above}${name}`;
      const mark = required.includes(name) ? '' : '?';
      const inner = field.items ?? field;
      const own = { path: path + mark, type: typeOf(field), meaning: field.description ?? '' };
      const below = rowsOf(inner, `${path}${field.items ? '[]' : ''}.`, leftOut);
      // A mere box of fields says nothing that they do not say.
      return below.length > 0 && own.meaning === '' && mark === '' ? below : [own, ...below];
    });
}

type Fields = { readonly properties: Readonly<Record<string, Schema>>; readonly required: readonly string[] };

/** Several forms as one: a field may be absent unless every form needs it, and has any value that it has in one of them. */
function merged(schema: Schema): Fields {
  const forms = variantsOf(schema) ?? [schema];
  const names = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const fields = names.map((name) => [name, oneOf(forms.flatMap(({ properties }) => properties?.[name] ?? []))]);
  return {
    properties: Object.fromEntries(fields) as Record<string, Schema>,
    required: names.filter((name) => forms.every(({ required = [] }) => required.includes(name))),
  };
}

function oneOf(forms: readonly Schema[]): Schema {
  const [first = {}] = forms;
  const values = [...new Set(forms.flatMap((form) => form.const ?? []))];
  return values.length > 1 ? { enum: values } : first;
}

function variantsOf({ anyOf, oneOf: exclusive }: Schema): readonly Schema[] | undefined {
  return anyOf ?? exclusive;
}

function typeOf(schema: Schema): string {
  const { type, const: only, enum: values, items } = schema;
  const variants = variantsOf(schema);
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (items) return `list of ${typeOf(items)}`;
  if (variants) return [...new Set(variants.map(typeOf))].join(' or ');
  return type === undefined ? 'anything' : [type].flat().join(' or ');
}
