import type { AgentConnection, SessionNotification } from '@agentclientprotocol/sdk';
import { textFrame } from '../websocket-frame.js';

/** One `session/update`. Its WebSocket frame is made once, for however many clients get it. */
export class Update {
  readonly params: SessionNotification;
  #frame: Buffer | undefined;

  constructor(params: SessionNotification) {
    this.params = params;
  }

  get frame(): Buffer {
    return (this.#frame ??= messageFrame({ jsonrpc: '2.0', method: 'session/update', params: this.params }));
  }
}

/** A JSON-RPC message as a frame. The newline is for clients that read the socket as lines; JSON does not mind it. */
export function messageFrame(message: object): Buffer {
  return textFrame(`${JSON.stringify(message)}\n`);
}

/** What a connection is reached by. */
export type Line = Pick<AgentConnection, 'client' | 'close'>;

/** Where the updates for one connection go. */
export type Outlet = {
  /** Never waits. A client that does not read is cut off. */
  send(update: Update): void;
  /** Resolves when the client has taken what was sent, for those who send a lot. */
  room(): Promise<void>;
};
