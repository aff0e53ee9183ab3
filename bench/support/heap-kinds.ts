import { objectsIn } from '../../test/support/heap-snapshot.js';
import type { Row } from './bench.js';

/** How many objects of a kind are alive, and their own bytes. */
export type Kind = { readonly count: number; readonly bytes: number };

/** By constructor; what has none, such as strings and compiled code, by what V8 calls it. */
export function kindsIn(snapshot: string): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const { type, name, size } of objectsIn(snapshot)) {
    const kind = type === 'object' ? name : `(${type})`;
    const { count, bytes } = kinds.get(kind) ?? nothing;
    kinds.set(kind, { count: count + 1, bytes: bytes + size });
  }
  return kinds;
}

/** Less is noise: what a request that ends while the heap is written leaves. */
const leastMoreKb = 10;
const nothing: Kind = { count: 0, bytes: 0 };

/** What takes more room in each snapshot than in the one before, most first. */
export function grown(snapshots: readonly ReadonlyMap<string, Kind>[]): Row[] {
  return [...(snapshots.at(-1)?.keys() ?? [])]
    .map((kind) => ({ kind, sizes: snapshots.map((all) => all.get(kind) ?? nothing) }))
    .filter(({ sizes }) => sizes.every(({ bytes }, index) => index === 0 || bytes > (sizes[index - 1]?.bytes ?? 0)))
    .map(({ kind, sizes }) => ({ kind, sizes, moreKb: ((sizes.at(-1)?.bytes ?? 0) - (sizes[0]?.bytes ?? 0)) / 1024 }))
    .filter(({ moreKb }) => moreKb >= leastMoreKb)
    .toSorted((a, b) => b.moreKb - a.moreKb)
    .map(({ kind, sizes, moreKb }) => ({
      'more of': kind,
      ...Object.fromEntries(sizes.map(({ count }, index) => [`snapshot ${index + 1}`, count])),
      'more KB': moreKb,
    }));
}
