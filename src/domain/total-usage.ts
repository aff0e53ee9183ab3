import type { Usage } from './events.js';

/** The tokens used by all model calls. */
export type TotalUsage = Usage & { readonly calls: number };

export const noUsage: TotalUsage = { calls: 0 };

const kinds = ['inputTokens', 'outputTokens', 'cachedTokens', 'thoughtTokens', 'totalTokens'] as const;

/** The total with one more call. */
export function addUsage(total: TotalUsage, usage: Usage): TotalUsage {
  const sums = kinds.flatMap((kind) => {
    const [before, more] = [total[kind], usage[kind]];
    return before === undefined && more === undefined ? [] : [[kind, (before ?? 0) + (more ?? 0)] as const];
  });
  return { calls: total.calls + 1, ...Object.fromEntries(sums) };
}
