import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Principal } from '../../auth/principal.js';
import { AppError, toAppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import { isHandedOver } from '../../session/lifetime.js';
import type { SessionPort } from '../../session/session-port.js';
import type { Snapshot } from '../../session/snapshot.js';
import type { Broadcast } from './broadcast.js';
import { originOf } from '../http/caller.js';
import { goneCode, movedCode } from '../http/close-codes.js';
import { errorNotice } from './error-notice.js';
import type { CredentialCheck } from '../guards/credential-check.js';
import { idOf, type JsonRpcId, parseRequest, parseText, rpcError, rpcResult } from '../http/json-rpc.js';
import { limits } from '../http/limits.js';
import type { Lobby } from './lobby.js';
import { callMethod } from './methods.js';
import type { ServerLog } from '../../domain/server-log.js';

export type SocketClientOptions = {
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  readonly session: SessionPort;
  readonly broadcast: Broadcast;
  readonly name: string;
  readonly surface: Origin['surface'];
  readonly lobby: Lobby;
  readonly principal: Principal;
  readonly credentialCheck: CredentialCheck;
  readonly log: ServerLog;
};

/** RFC 6455's "try again later". The client resumes with `?after=<last seq>`. */
const tooSlowCode = 1013;
/** How long a dismissed client may take to close before its buffers are freed. */
const graceMs = 2000;

/** One client on the socket: JSON-RPC in, replies and the broadcast out. */
export class SocketClient {
  readonly #options: SocketClientOptions;
  readonly #origin: Origin;
  readonly #leave: () => void;
  #unwatch: () => void = () => {};

  constructor(options: SocketClientOptions) {
    this.#options = options;
    const { name, principal, surface, lobby } = options;
    const { origin, leave } = lobby.join(options.session, originOf(name, principal, surface));
    const leaveLobby = lobby.enter(origin.client ?? name);
    this.#origin = origin;
    this.#leave = () => {
      leave();
      leaveLobby();
    };
    const { webSocket } = options;
    webSocket.on('close', () => this.stop());
    const { ended } = options.session;
    const goAway = (): void => {
      const why = toAppError(ended.reason);
      if (why.code === 'store-unavailable') this.#sendError(undefined, why);
      const code = isHandedOver(why) ? movedCode : goneCode;
      this.close(code, 'the task is no longer on this server; connect again');
    };
    ended.addEventListener('abort', goAway);
    webSocket.once('close', () => ended.removeEventListener('abort', goAway));
    webSocket.on('error', (error) => options.log.debug('socket error', { client: options.name, error: error.message }));
  }

  /** Sends the missed events or a snapshot, then every new event. */
  watch(after: number | undefined, snapshot?: Snapshot): void {
    this.#unwatch();
    const { broadcast, socket } = this.#options;
    const tooSlow = (): void => this.close(tooSlowCode, 'too slow: reconnect with ?after=<your last seq>');
    this.#unwatch = broadcast.add({ socket, tooSlow }, after, snapshot);
  }

  stop(): void {
    this.#unwatch();
    this.#leave();
  }

  close(code: number, reason: string): void {
    const { webSocket } = this.#options;
    this.#unwatch();
    webSocket.close(code, reason);
    setTimeout(() => webSocket.terminate(), graceMs).unref();
  }

  /** Takes a frame from the client. */
  async receive(data: RawData, isBinary: boolean): Promise<void> {
    let id: JsonRpcId;
    const { session, principal, credentialCheck } = this.#options;
    try {
      let value: unknown;
      try {
        value = readFrame(data, isBinary);
        id = idOf(value);
      } finally {
        // Every frame counts, even an unreadable one. Counting comes after reading because a refusal needs the id.
        credentialCheck.count(principal);
      }
      const { method, params } = parseRequest(value);
      const result = await callMethod(method, params, {
        session,
        principal,
        origin: this.#origin,
        resubscribe: (after) => this.watch(after),
      });
      if (id !== undefined) this.#send(rpcResult(id, result));
    } catch (thrown) {
      this.#sendError(id, toAppError(thrown));
    }
  }

  /** A request without an id gets a reply only if it failed, in the endpoint's own form and only to this client. */
  #sendError(id: JsonRpcId, error: AppError): void {
    const { name, session, log } = this.#options;
    log.debug('request refused', { client: name, code: error.code, reason: error.message, cause: error.cause });
    if (error.code === 'internal') log.error('request failed', { client: name, cause: error.cause });
    if (id !== undefined || error.code === 'parse-error' || error.code === 'invalid-request')
      return this.#send(rpcError(id, error));
    this.#send({ ...errorNotice(error), taskId: session.id });
  }

  #send(message: object): void {
    const { webSocket, socket } = this.#options;
    if (socket.writableLength > limits.clientBufferBytes) this.close(tooSlowCode, 'too slow');
    else webSocket.send(JSON.stringify(message));
  }
}

function readFrame(data: RawData, isBinary: boolean): unknown {
  if (isBinary) throw new AppError('invalid-request', 'send text frames, not binary ones');
  return parseText(Buffer.isBuffer(data) ? data.toString('utf8') : '');
}
