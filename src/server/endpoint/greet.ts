import type { RawData, WebSocket } from 'ws';
import { isInitialize } from './first-frame.js';

/** Serves one client: takes its frames until `stop` is called. */
export type Waiter = { receive(data: RawData, isBinary: boolean): void | Promise<void>; stop(): void };

export type Guest = {
  readonly webSocket: WebSocket;
  readonly asAcp: () => Waiter;
  readonly asWatcher: () => Waiter;
  /** How long a client may be silent before it is served as a watcher. */
  readonly silenceMs: number;
};

/** Hands over a client whose dialect is known. */
export function seat(webSocket: WebSocket, waiter: Waiter): void {
  webSocket.on('message', (data, isBinary) => void waiter.receive(data, isBinary));
}

/**
 * Detects a client's dialect by its first frame and hands it over. A silent client is served as a watcher, and may still
 * turn out to speak ACP.
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
