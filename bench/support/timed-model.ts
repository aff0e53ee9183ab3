import { startModelServer } from '../../src/demo/model-server.js';
import { now } from './clock.js';

export type TimedModel = {
  readonly url: string;
  /** Sets the model's next reply. Each chunk gets the time of its write once it is written. */
  prepare(chunks: number, pauseMs: number): readonly TimedChunk[];
  close(): Promise<void>;
};

export type TimedChunk = {
  /** A word that no other chunk has. */
  readonly mark: string;
  sentAt: number;
};

/** The demo's model, with the time at which it wrote each chunk. */
export async function startTimedModel(): Promise<TimedModel> {
  let marks = 0;
  let reply: { chunks: readonly TimedChunk[]; pauseMs: number } = { chunks: [], pauseMs: 0 };
  const model = await startModelServer(() => ({
    pauseMs: reply.pauseMs,
    chunks: reply.chunks.map((chunk) => [timedPart(chunk)]),
  }));
  return {
    url: model.url,
    close: () => model.close(),
    prepare(count, pauseMs) {
      const chunks = Array.from({ length: count }, () => ({ mark: `mark${++marks}x`, sentAt: Number.NaN }));
      reply = { chunks, pauseMs };
      return chunks;
    },
  };
}

/** The script runs once per reply, but each part is serialised right before it is written. */
function timedPart(chunk: TimedChunk): { readonly text: string } {
  return {
    get text() {
      chunk.sentAt = now();
      return `${chunk.mark} `;
    },
  };
}
