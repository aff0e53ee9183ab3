import type { SendRequestOptions } from '@agentclientprotocol/sdk';
import type { PermissionResponse } from '../../dialects/acp-v1/permission.js';
import type { FormResponse } from '../../dialects/acp/questions.js';
import { textFrames } from '../endpoint/frames/websocket-frame.js';

/** One `session/update`. Its WebSocket frame is built once, for any number of clients. */
export class SessionUpdate {
  readonly params: { readonly sessionId: string; readonly update: object };
  #frame: Buffer | undefined;

  constructor(sessionId: string, update: object) {
    this.params = { sessionId, update };
  }

  get frame(): Buffer {
    return (this.#frame ??= messageFrame({ jsonrpc: '2.0', method: 'session/update', params: this.params }));
  }
}

/** A JSON-RPC message as a frame. The newline is for clients that read the socket as lines. JSON allows it. */
export function messageFrame(message: object): Buffer {
  return textFrames([`${JSON.stringify(message)}\n`]);
}

/** The handle of a connection, in any version of ACP. */
export type Line = { readonly client: RemoteClient; readonly closed: Promise<void>; close(error?: unknown): void };

export type RemoteClient = {
  notify(method: 'session/update', params: object): Promise<void>;
  request(
    method: 'session/request_permission',
    params: object,
    options: SendRequestOptions,
  ): Promise<PermissionResponse>;
  request(method: 'elicitation/create', params: object, options: SendRequestOptions): Promise<FormResponse>;
};

/** Where the updates for one connection go. */
export type Outlet = {
  /** Never waits. A client that does not read is disconnected. */
  send(update: SessionUpdate): void;
  /** Resolves once the client has read what was sent. For callers that send a lot. */
  room(): Promise<void>;
};
