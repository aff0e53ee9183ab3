import type { Action } from './command.js';

export const stats: Action = {
  needsTask: true,
  run({ config, usage }) {
    const { inputTokens = 0, outputTokens = 0, cachedTokens = 0, thoughtTokens = 0 } = usage;
    const text = [
      `Model: ${config.getModel()}`,
      `Input tokens: ${inputTokens} (${cachedTokens} from the cache)`,
      `Output tokens: ${outputTokens} (and ${thoughtTokens} for thoughts)`,
    ].join('\n');
    return Promise.resolve({ text, data: { model: config.getModel(), usage } });
  },
};
