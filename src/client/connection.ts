import { finalCloseCode, sessionEnded } from '../domain/final-close.js';
import { CosessionError } from './transport/cosession-error.js';
import { type Endpoint, protocolsOf } from './transport/endpoint.js';
import { explainRefusal } from './transport/explain-refusal.js';
import type { WebSocketLike } from './transport/web-socket.js';
import type { WireEvent } from './wire-event.js';

/** `reconnecting`: the connection was lost and is being retried. `closed`: closed for good. */
export type ConnectionState = 'open' | 'reconnecting' | 'closed';

export type ConnectionOptions = {
  readonly endpoint: Endpoint;
  /** Send the events after this one too. */
  readonly after?: number;
  /** How long to keep reconnecting after the connection is lost; default forever. */
  readonly giveUpAfterMs?: number;
  /** Gets each event once and in order, across any number of connections. Each connection begins with a snapshot. */
  readonly onEvent: (event: WireEvent) => void;
  readonly onReply?: (reply: object) => void;
  /** `error`: what was sent on it must not be sent again. */
  readonly onDown?: (error?: CosessionError) => void;
  readonly onClosed: (error: CosessionError) => void;
};

const firstDelayMs = 200;
const longestDelayMs = 5000;
/** How long to wait for an answer before giving up an attempt. */
const attemptMs = 10_000;

/** The close code of RFC 6455 for a message that the server does not read to its end. */
const tooLargeCode = 1009;

function tooLarge(): CosessionError {
  return new CosessionError('too-large', 'the message is larger than the server accepts (1 MiB)');
}

/** A WebSocket that reconnects: it remembers the last event and resumes after it. */
export class Connection {
  readonly #options: ConnectionOptions;
  #socket: WebSocketLike | undefined;
  #isUp = false;
  #wasUp = false;
  #isClosed = false;
  #seq: number | undefined;
  /** The server no longer has the events after our cursor. */
  #isLost = false;
  #attempts = 0;
  #downSince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#seq = options.after;
    // The caller must have this object before the first callback.
    queueMicrotask(() => this.#open());
  }

  /** False if there is no connection to send on. */
  send(message: object): boolean {
    if (!this.#isUp || !this.#socket) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(error: CosessionError = new CosessionError('closed', 'the client was closed')): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#drop();
    this.#options.onClosed(error);
  }

  #open(): void {
    if (this.#isClosed) return;
    const { endpoint } = this.#options;
    let reason = '';
    let socket: WebSocketLike;
    try {
      socket = new endpoint.WebSocket(this.#address().href, protocolsOf(endpoint));
    } catch (error) {
      const why = error instanceof Error ? error.message : 'the address or the token cannot be used';
      return this.close(new CosessionError('cannot-connect', `cannot connect to ${endpoint.url.href}: ${why}`));
    }
    this.#socket = socket;
    this.#timer = setTimeout(() => socket.close(), attemptMs);
    // An abandoned socket may still fire events; only those of the current one count.
    const current = (): boolean => socket === this.#socket;
    socket.addEventListener('open', () => current() && this.#onOpen());
    socket.addEventListener('message', (event) => current() && this.#onMessage(fieldOf(event, 'data')));
    socket.addEventListener('error', (event) => (reason = textOf(fieldOf(event, 'message'))));
    socket.addEventListener('close', (event) => current() && void this.#onClose(event, reason));
  }

  #address(): URL {
    const { url, client } = this.#options.endpoint;
    const address = new URL(url);
    // Sent in the address, so the server does not have to wait for a first message to know the protocol.
    address.searchParams.set('protocol', 'endpoint');
    if (client !== undefined) address.searchParams.set('client', client);
    if (this.#seq !== undefined) {
      address.searchParams.set('after', String(this.#seq));
      address.searchParams.set('snapshot', 'true');
    }
    return address;
  }

  #onOpen(): void {
    clearTimeout(this.#timer);
    this.#isUp = true;
    this.#wasUp = true;
    this.#attempts = 0;
  }

  #onMessage(data: unknown): void {
    const message = parse(data);
    if (!message) return;
    if ('jsonrpc' in message) return this.#options.onReply?.(message);
    if (!isEvent(message)) return;
    if (message.kind === 'CLIENTS') return this.#options.onEvent(message);
    if (message.kind === 'SNAPSHOT') {
      if (this.#seq === undefined || this.#isLost) this.#seq = message.seq;
      this.#isLost = false;
    } else if (message.kind === 'RESYNC_REQUIRED') this.#isLost = true;
    else {
      if (message.seq <= (this.#seq ?? 0)) return;
      this.#seq = message.seq;
    }
    this.#options.onEvent(message);
  }

  async #onClose(event: object, reason: string): Promise<void> {
    const { endpoint, giveUpAfterMs = Infinity, onDown } = this.#options;
    clearTimeout(this.#timer);
    const wasUp = this.#isUp;
    this.#drop();
    if (fieldOf(event, 'code') === finalCloseCode)
      return this.close(new CosessionError('ended', textOf(fieldOf(event, 'reason')) || sessionEnded));
    if (wasUp) {
      this.#downSince = Date.now();
      onDown?.(fieldOf(event, 'code') === tooLargeCode ? tooLarge() : undefined);
    } else {
      const { error, isFinal } = await explainRefusal(endpoint, this.#address(), reason);
      if (isFinal || !this.#wasUp) return this.close(error);
    }
    // A callback may have closed us.
    if (this.#isClosed) return undefined;
    if (Date.now() - this.#downSince >= giveUpAfterMs) {
      return this.close(new CosessionError('disconnected', `${endpoint.url.href} no longer responds`));
    }
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#attempts++);
    this.#timer = setTimeout(() => this.#open(), delay);
    return undefined;
  }

  #drop(): void {
    const socket = this.#socket;
    this.#isUp = false;
    this.#socket = undefined;
    socket?.close();
  }
}

/** Socket events use getters, so they cannot be spread. */
function fieldOf(event: object, name: string): unknown {
  return Reflect.get(event, name);
}

/** Browsers do not report what went wrong. */
function textOf(message: unknown): string {
  return typeof message === 'string' ? message : '';
}

function parse(data: unknown): object | undefined {
  try {
    const parsed: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Events and snapshots have a `seq`. We trust the server for the other fields of each kind (docs/websocket-api.md). */
function isEvent(message: object): message is WireEvent {
  if (!('kind' in message)) return false;
  if (message.kind === 'RESYNC_REQUIRED' || message.kind === 'CLIENTS') return true;
  return 'seq' in message && typeof message.seq === 'number';
}
