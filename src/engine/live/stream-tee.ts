import type { CoreStreamEvent } from '../gemini/core-types.js';
import type { CliClient } from './cli-types.js';

export type StreamWatcher = {
  started(signal: AbortSignal): void;
  event(event: CoreStreamEvent): void;
  /** The stream is over. `thrown` is its error, if it failed. */
  ended(thrown?: unknown): void;
};

/** Clients whose stream is already teed. */
const teed = new WeakSet<CliClient>();

/** Shows a watcher the model's events on their way to the user interface, unchanged and without delay. */
export function teeStream(client: CliClient, watcher: StreamWatcher): void {
  if (teed.has(client)) return;
  teed.add(client);
  const original = client.sendMessageStream.bind(client);
  let insideNext = 0;
  client.sendMessageStream = function sendMessageStream(query, signal, ...rest) {
    const stream = original(query, signal, ...rest);
    // The client calls itself to continue a turn. The outer stream already carries those events.
    if (insideNext > 0) return stream;
    let isOver = false;
    const end = (thrown?: unknown): void => {
      if (!isOver) watcher.ended(thrown);
      isOver = true;
    };
    watcher.started(signal);
    const next = stream.next.bind(stream);
    stream.next = async (...args) => {
      insideNext++;
      try {
        const step = await next(...args);
        if (step.done) end();
        else watcher.event(step.value);
        return step;
      } catch (error) {
        end(error);
        throw error;
      } finally {
        insideNext--;
      }
    };
    const finish = stream.return.bind(stream);
    stream.return = async (value) => {
      end();
      return finish(value);
    };
    return stream;
  };
}
