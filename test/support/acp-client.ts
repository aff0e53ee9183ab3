import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';
import { until } from './until.js';

export type AcpOptions = {
  readonly name?: string;
  readonly capabilities?: ClientCapabilities;
  readonly protocols?: string[];
  readonly headers?: Record<string, string>;
};

/** A question that a client was asked and has not answered yet. */
export type Asked = {
  readonly request: RequestPermissionRequest;
  readonly answer: (optionId: string, _meta?: Record<string, unknown>) => void;
  readonly abstain: () => void;
  readonly wasWithdrawn: boolean;
};

type Form = { readonly request: CreateElicitationRequest; answer(response: CreateElicitationResponse): void };

/** The client of ACP's own SDK, with everything it was told. */
export class AcpClient {
  readonly updates: SessionUpdate[] = [];
  readonly asked: Asked[] = [];
  readonly forms: Form[] = [];
  readonly connection: ClientConnection;
  sessionId = '';

  private constructor(stream: Stream) {
    this.connection = client({ name: 'test' })
      .onNotification(
        'session/update',
        ({ params }: { params: SessionNotification }) => void this.updates.push(params.update),
      )
      .onRequest('session/request_permission', ({ params, signal }) => this.#onPermission(params, signal))
      .onRequest(
        'elicitation/create',
        ({ params }) => new Promise((answer) => this.forms.push({ request: params, answer })),
      )
      .connect(stream);
  }

  /** Connects over the transport of the address, introduces itself and, unless told otherwise, joins the session. */
  static async connect(url: string, options: AcpOptions & { join?: boolean } = {}): Promise<AcpClient> {
    const { protocols, headers = {} } = options;
    const stream = url.startsWith('ws')
      ? createWebSocketStream(url, { WebSocket, headers, ...(protocols === undefined ? {} : { protocols }) })
      : createHttpStream(url, { headers });
    return AcpClient.over(stream, options);
  }

  static async over(stream: Stream, options: AcpOptions & { join?: boolean } = {}): Promise<AcpClient> {
    const { name = 'tester', capabilities = {}, join = true } = options;
    const connected = new AcpClient(stream);
    await connected.agent.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name, version: '1' },
      clientCapabilities: capabilities,
    });
    if (join) await connected.join();
    return connected;
  }

  get agent() {
    return this.connection.agent;
  }

  async join(cwd = '/project') {
    const response = await this.agent.request('session/new', { cwd, mcpServers: [] });
    this.sessionId = response.sessionId;
    return response;
  }

  async load(sessionId: string) {
    this.sessionId = sessionId;
    return this.agent.request('session/load', { sessionId, cwd: '/project', mcpServers: [] });
  }

  prompt(text: string) {
    return this.agent.request('session/prompt', { sessionId: this.sessionId, prompt: [{ type: 'text', text }] });
  }

  cancel(): Promise<void> {
    return this.agent.notify('session/cancel', { sessionId: this.sessionId });
  }

  /** The newest question that is open. */
  question(): Promise<Asked> {
    return until(() => this.asked.findLast((asked) => !asked.wasWithdrawn));
  }

  find(matches: (update: SessionUpdate) => unknown): Promise<SessionUpdate> {
    return until(() => this.updates.find(matches)).catch((error: unknown) => {
      throw new Error(`no such update; seen: ${this.updates.map((update) => update.sessionUpdate).join(' ')}`, {
        cause: error,
      });
    });
  }

  tool(status: string) {
    return this.find(
      (update) => update.sessionUpdate.startsWith('tool_call') && 'status' in update && update.status === status,
    );
  }

  /** What the agent said, in one piece. */
  get text(): string {
    return this.#textOf('agent_message_chunk');
  }

  /** What others have typed. */
  get heard(): string {
    return this.#textOf('user_message_chunk');
  }

  close(): void {
    this.connection.close();
  }

  #textOf(kind: SessionUpdate['sessionUpdate']): string {
    return this.updates
      .flatMap((update) => (update.sessionUpdate === kind && 'content' in update ? [update.content] : []))
      .map((content) => (content && 'text' in content ? content.text : ''))
      .join('');
  }

  #onPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    return new Promise((resolve, reject) => {
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
        reject(signal.reason as Error);
      });
    });
  }
}
