import type { RawData, WebSocket } from 'ws';
import { isInitialize } from './first-frame.js';

/** Somebody who serves a client: takes its frames until told to stop. */
export type Waiter = { receive(data: RawData, isBinary: boolean): void | Promise<void>; stop(): void };

export type Guest = {
  readonly webSocket: WebSocket;
  readonly asAcp: () => Waiter;
  readonly asWatcher: () => Waiter;
  /** How long it may be silent before it is served as a watcher. */
  readonly silenceMs: number;
};

/** Hands over a client that said before what it speaks. */
export function seat(webSocket: WebSocket, waiter: Waiter): void {
  webSocket.on('message', (data, isBinary) => void waiter.receive(data, isBinary));
}

/**
 * Finds out what a client speaks and hands it over. It is judged by its first frame; one that stays silent is served as a
 * watcher, and may still turn out to speak ACP.
 */
export function greet({ webSocket, asAcp, asWatcher, silenceMs }: Guest): void {
  let waiter: Waiter | undefined;
  const silence = setTimeout(() => (waiter = asWatcher()), silenceMs);
  webSocket.once('close', () => clearTimeout(silence));
  webSocket.once('message', (data, isBinary) => {
    clearTimeout(silence);
    if (isInitialize(data)) {
      waiter?.stop();
      waiter = asAcp();
    }
    waiter ??= asWatcher();
    void waiter.receive(data, isBinary);
    seat(webSocket, waiter);
  });
}
