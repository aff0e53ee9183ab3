import { AppError } from '../../../domain/errors.js';
import type { Action } from './command.js';

export const compress: Action = {
  needsTask: true,
  async run({ core, config, say, signal }) {
    say('Compressing the conversation…');
    const info = await config.geminiClient.tryCompressChat(`compress-${config.getSessionId()}`, true, signal);
    const { originalTokenCount, newTokenCount, compressionStatus } = info;
    const data = { originalTokenCount, newTokenCount };
    switch (compressionStatus) {
      case core.CompressionStatus.COMPRESSED:
      case core.CompressionStatus.CONTENT_TRUNCATED:
        return { text: `The conversation went from ${originalTokenCount} to ${newTokenCount} tokens.`, data };
      case core.CompressionStatus.NOOP:
        return { text: 'There is nothing to compress yet.', data };
      case core.CompressionStatus.COMPRESSION_FAILED_INFLATED_TOKEN_COUNT:
        return { text: 'The summary would be longer than the conversation, which stays as it is.', data };
      default:
        throw new AppError('command-failed', 'the model returned no usable summary; the conversation is unchanged');
    }
  },
};
