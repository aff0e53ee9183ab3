import type { IncomingMessage } from 'node:http';
import { now } from './clock.js';

/** A stream that is short enough to keep as a whole. */
export type WatchedStream = {
  /** The first match in what has arrived, and when the data with its end arrived. Rejects if the stream ends without one. */
  find(pattern: RegExp): Promise<{ readonly match: RegExpExecArray; readonly at: number }>;
  readonly ended: Promise<void>;
  readonly text: () => string;
};

export function watchStream(response: IncomingMessage): WatchedStream {
  let text = '';
  let isOver = false;
  const looks = new Set<() => void>();
  response.setEncoding('utf8');
  response.on('data', (data: string) => {
    text += data;
    for (const look of looks) look();
  });
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOver = true;
      for (const look of looks) look();
      resolve();
    });
  });
  return {
    ended,
    text: () => text,
    find: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(text);
          if (!match && !isOver) return;
          looks.delete(look);
          if (match) resolve({ match, at: now() });
          else reject(new Error(`${pattern} did not arrive in ${text.slice(-2000)}`));
        };
        looks.add(look);
        look();
      }),
  };
}
