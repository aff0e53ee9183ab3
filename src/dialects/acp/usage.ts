import type { Usage } from '../../domain/events.js';
import { contextWindowOf } from './context-window.js';
import { meta } from './meta.js';

/** ACP requires the size of the context window, so nothing is sent for an unknown model. */
export function usageUpdates({ totalTokens, ...rest }: Usage, model: string) {
  const size = contextWindowOf(model);
  if (totalTokens === undefined || size === undefined) return [];
  const _meta = meta({ usage: { totalTokens, ...rest } });
  return [{ sessionUpdate: 'usage_update', used: totalTokens, size, _meta } as const];
}
