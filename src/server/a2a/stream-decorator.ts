import type { Response } from 'express';
import * as z from 'zod';
import { heartbeatMs, limits } from '../limits.js';
import type { Connection } from './connection.js';

export type StreamKind = { readonly isLegacy: boolean; readonly isSend: boolean };

/** What the SDK's HTTP+JSON transport does not do for a stream: event ids, heartbeats, `final` as v0.3 means it. */
export function decorateStream(response: Response, connection: Connection, { isLegacy, isSend }: StreamKind): void {
  const write = response.write.bind(response);
  const heartbeat = setInterval(() => {
    if (response.headersSent && !response.writableEnded) write(': heartbeat\n\n');
  }, heartbeatMs);
  response.once('close', () => clearInterval(heartbeat));
  let isCorked = false;
  /** Events of one tick leave in one write. */
  const corkForThisTick = (): void => {
    if (isCorked) return;
    isCorked = true;
    response.cork();
    setImmediate(() => {
      isCorked = false;
      response.uncork();
    });
  };
  const decorated = (chunk: unknown): boolean => {
    if (typeof chunk !== 'string' || !chunk.startsWith('data: ')) return write(chunk);
    if (response.writableLength > limits.clientBufferBytes) {
      response.destroy();
      return false;
    }
    corkForThisTick();
    const text = isLegacy && isSend ? withFinal(chunk) : chunk;
    return write(`id: ${connection.seq}\n${text}`);
  };
  Object.assign(response, { write: decorated });
}

const statusUpdate = z.looseObject({
  statusUpdate: z.looseObject({ status: z.looseObject({ state: z.literal('TASK_STATE_INPUT_REQUIRED') }) }),
});

/** A send ends where input is required, and v0.3 says so on the last event. */
function withFinal(chunk: string): string {
  if (!chunk.includes('TASK_STATE_INPUT_REQUIRED')) return chunk;
  const parsed = statusUpdate.safeParse(JSON.parse(chunk.slice('data: '.length)));
  if (!parsed.success) return chunk;
  const event = { ...parsed.data, statusUpdate: { ...parsed.data.statusUpdate, final: true } };
  return `data: ${JSON.stringify(event)}\n\n`;
}
