import type { CliClient } from '../../src/engine/live/cli-types.js';
import type { CoreStreamEvent } from '../../src/engine/gemini/core-types.js';

/** Streams as core's client does: it continues a turn by calling itself. */
export class ManualClient implements CliClient {
  async *sendMessageStream(query: unknown, signal: AbortSignal): AsyncGenerator<CoreStreamEvent, unknown> {
    await Promise.resolve();
    if (query === 'throw') throw new Error('broken');
    if (query === 'nested') {
      yield { type: 'content', value: 'nested' };
      return undefined;
    }
    yield { type: 'content', value: 'outer' };
    yield* this.sendMessageStream('nested', signal);
    return 'the turn';
  }
}
