import { CosessionError } from './cosession-error.js';

/** What the browser's `WebSocket` and the one of `ws` have in common. */
export type WebSocketLike = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  /** Their event types differ, so a listener checks for the fields it needs. */
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: object) => void): void;
};

export type WebSocketClass = new (url: string, protocols?: string[]) => WebSocketLike;

/** The class to use; Node 20 has none built in. */
export function webSocketClass(given: WebSocketClass | undefined): WebSocketClass {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- browsers and newer Nodes have it, Node 20's types do not
  const found = given ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket;
  if (found) return found;
  throw new CosessionError('cannot-connect', 'there is no WebSocket here: pass the class of "ws" as WebSocket');
}
