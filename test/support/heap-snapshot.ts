/** `name`: of an object its constructor, of a string its beginning. `size`: its own bytes, without what it refers to. */
export type HeapObject = { readonly type: string; readonly name: string; readonly size: number };

type Snapshot = {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
};

/** What was alive, in a snapshot of a heap as V8 writes it. */
export function* objectsIn(json: string): Generator<HeapObject> {
  const { snapshot, nodes, strings } = JSON.parse(json) as Snapshot;
  const { node_fields: fields, node_types } = snapshot.meta;
  const [type, name, size] = [fields.indexOf('type'), fields.indexOf('name'), fields.indexOf('self_size')];
  for (let at = 0; at < nodes.length; at += fields.length)
    yield {
      type: node_types[0][nodes[at + type] ?? 0] ?? '',
      name: strings[nodes[at + name] ?? 0] ?? '',
      size: nodes[at + size] ?? 0,
    };
}
