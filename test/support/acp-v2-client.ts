import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk/experimental/v2';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';
import { until } from './until.js';

export type AcpV2Options = {
  readonly name?: string;
  readonly capabilities?: ClientCapabilities;
  readonly join?: boolean;
};

export type AskedV2 = {
  readonly request: RequestPermissionRequest;
  readonly answer: (optionId: string, _meta?: Record<string, unknown>) => void;
  readonly abstain: () => void;
  readonly wasWithdrawn: boolean;
};

/** An update with the fields that tests look at. */
export type AnyUpdate = SessionUpdate & Record<string, unknown>;

/** The v2 client of ACP's own SDK, with everything it was told. */
export class AcpV2Client {
  readonly updates: AnyUpdate[] = [];
  readonly asked: AskedV2[] = [];
  readonly forms: { request: CreateElicitationRequest; answer(response: CreateElicitationResponse): void }[] = [];
  readonly connection: ClientConnection;
  sessionId = '';

  private constructor(stream: Stream) {
    this.connection = client({ name: 'test' })
      .onNotification('session/update', ({ params }) => void this.updates.push(params.update as AnyUpdate))
      .onRequest('session/request_permission', ({ params, signal }) => this.#onPermission(params, signal))
      .onRequest(
        'elicitation/create',
        ({ params }) => new Promise((answer) => this.forms.push({ request: params, answer })),
      )
      .connect(stream);
  }

  /** Connects over the transport of the address, introduces itself and, unless told otherwise, joins the session. */
  static connect(url: string, options: AcpV2Options = {}): Promise<AcpV2Client> {
    const stream = url.startsWith('ws') ? createWebSocketStream(url, { WebSocket }) : createHttpStream(url);
    return AcpV2Client.over(stream, options);
  }

  static async over(stream: Stream, options: AcpV2Options = {}): Promise<AcpV2Client> {
    const { name = 'tester', capabilities = {}, join = true } = options;
    const connected = new AcpV2Client(stream);
    const info = { name, version: '1' };
    await connected.agent.request('initialize', { protocolVersion: 2, info, capabilities });
    if (join) await connected.join();
    return connected;
  }

  get agent() {
    return this.connection.agent;
  }

  async join(cwd = '/project') {
    const response = await this.agent.request('session/new', { cwd });
    this.sessionId = response.sessionId;
    return response;
  }

  resume(sessionId: string, { isReplayed = false, cwd = '/project' } = {}) {
    this.sessionId = sessionId;
    const replay = isReplayed ? ({ replayFrom: { type: 'start' } } as const) : {};
    return this.agent.request('session/resume', { sessionId, cwd, ...replay });
  }

  prompt(text: string, cancellationSignal?: AbortSignal) {
    const prompt: ContentBlock[] = [{ type: 'text', text }];
    const options = cancellationSignal === undefined ? {} : { cancellationSignal };
    return this.agent.request('session/prompt', { sessionId: this.sessionId, prompt }, options);
  }

  cancel(): Promise<void> {
    return this.agent.notify('session/cancel', { sessionId: this.sessionId });
  }

  /** The newest question that is open. */
  question(): Promise<AskedV2> {
    return until(() => this.asked.findLast((asked) => !asked.wasWithdrawn));
  }

  find(matches: (update: AnyUpdate) => unknown): Promise<AnyUpdate> {
    return until(() => this.updates.find(matches)).catch((error: unknown) => {
      throw new Error(`no such update; seen: ${JSON.stringify(this.updates)}`, { cause: error });
    });
  }

  tool(status: string): Promise<AnyUpdate> {
    return this.find((update) => update.sessionUpdate === 'tool_call_update' && update['status'] === status);
  }

  /** The states of the session, in the order in which they were told. */
  get states(): string[] {
    return this.updates
      .filter(({ sessionUpdate }) => sessionUpdate === 'state_update')
      .map(({ state, stopReason }) => [state, stopReason].filter((word) => typeof word === 'string').join(' '));
  }

  /** The messages of one kind by their ids: what people typed, or what the agent said. */
  messages(from: 'user' | 'agent'): Record<string, string> {
    const messages: Record<string, string> = {};
    for (const { sessionUpdate, messageId, content } of this.updates) {
      const id = String(messageId);
      if (sessionUpdate === `${from}_message`) messages[id] = (content as ContentBlock[]).map(textOf).join('');
      if (sessionUpdate === `${from}_message_chunk`) messages[id] = (messages[id] ?? '') + textOf(content);
    }
    return messages;
  }

  close(): void {
    this.connection.close();
  }

  #onPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    return new Promise((resolve) => {
      let wasWithdrawn = false;
      this.asked.push({
        request,
        answer: (optionId, _meta) =>
          resolve({ outcome: { outcome: 'selected', optionId }, ...(_meta === undefined ? {} : { _meta }) }),
        abstain: () => resolve({ outcome: { outcome: 'cancelled' } }),
        get wasWithdrawn() {
          return wasWithdrawn;
        },
      });
      signal.addEventListener('abort', () => {
        wasWithdrawn = true;
        resolve({ outcome: { outcome: 'cancelled' } });
      });
    });
  }
}

function textOf(content: unknown): string {
  return (content as { text: string }).text;
}
