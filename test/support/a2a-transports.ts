import {
  CancelTaskRequest,
  GetTaskRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { type ClientReadableStream, credentials, makeGenericClientConstructor, Metadata } from '@grpc/grpc-js';

export type Json = { readonly [key: string]: unknown };

/** What a test sends, in no version's form. */
export type Outgoing = {
  readonly messageId?: string;
  readonly text?: string;
  readonly data?: Json;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly metadata?: Json;
};

export type Options = { readonly configuration?: Json; readonly headers?: Record<string, string> };

/** One event or answer in no version's form. */
export type Seen = {
  readonly what: 'task' | 'status' | 'artifact' | 'message';
  readonly id?: string;
  readonly contextId?: string;
  readonly state?: string;
  readonly final?: boolean;
  readonly at?: string;
  readonly texts: readonly string[];
  readonly data: readonly Json[];
  readonly metadata: Json;
  readonly history: number;
  readonly eventId?: number;
};

export class A2AFailure extends Error {
  readonly code: number;
  readonly body: Json;

  constructor(code: number, body: Json) {
    super(JSON.stringify(body));
    this.code = code;
    this.body = body;
  }
}

/** The same operations on every transport and version. Failures are thrown as the code of the transport. */
export type Transport = {
  readonly name: string;
  send(message: Outgoing, options?: Options): Promise<Seen>;
  stream(message: Outgoing, options?: Options): AsyncGenerator<Seen, void, undefined>;
  get(id: string, historyLength?: number): Promise<Seen>;
  cancel(id: string): Promise<Seen>;
  subscribe(id: string, headers?: Record<string, string>): AsyncGenerator<Seen, void, undefined>;
  close(): void;
};

export async function all(events: AsyncGenerator<Seen, void, undefined>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

let count = 0;
export const nextId = (): string => `message-${++count}-${process.pid}`;

const v1 = { 'a2a-version': '1.0' };

export function jsonRpc(base: string, version: '1.0' | '0.3'): Transport {
  const isOld = version === '0.3';
  const own = isOld ? {} : v1;
  const call = async (method: string, params: Json, headers = {}): Promise<Seen> => {
    const response = await post(`${base}/`, { jsonrpc: '2.0', id: 1, method, params }, { ...own, ...headers });
    return normal(unwrap((await response.json()) as Json));
  };
  const open = async function* (method: string, params: Json, headers = {}) {
    const response = await post(`${base}/`, { jsonrpc: '2.0', id: 1, method, params }, { ...own, ...headers });
    if (!isEventStream(response)) unwrap((await response.json()) as Json);
    for await (const { id, data } of eventsOf(response)) yield { ...normal(unwrap(data)), eventId: id };
  };
  const params = (message: Outgoing, { configuration }: Options): Json => ({
    message: isOld ? toOld(message) : toNew(message),
    ...(configuration ? { configuration } : {}),
  });
  return {
    name: `JSON-RPC v${version}`,
    send: (message, options = {}) =>
      call(isOld ? 'message/send' : 'SendMessage', params(message, options), options.headers),
    stream: (message, options = {}) =>
      open(isOld ? 'message/stream' : 'SendStreamingMessage', params(message, options), options.headers),
    get: (id, historyLength) => call(isOld ? 'tasks/get' : 'GetTask', { id, ...withLength(historyLength) }),
    cancel: (id) => call(isOld ? 'tasks/cancel' : 'CancelTask', { id }),
    subscribe: (id, headers) => open(isOld ? 'tasks/resubscribe' : 'SubscribeToTask', { id }, headers),
    close: () => {},
  };
}

export function rest(base: string, version: '1.0' | '0.3'): Transport {
  const isOld = version === '0.3';
  const root = `${base}/a2a/rest${isOld ? '/v1' : ''}`;
  const own = isOld ? {} : v1;
  const body = (message: Outgoing, { configuration }: Options): Json => ({
    message: isOld ? toOldProto(message) : toNew(message),
    ...(configuration ? { configuration } : {}),
  });
  const answer = async (response: Response): Promise<Seen> => {
    const json = (await response.json()) as Json;
    if (!response.ok) throw new A2AFailure(response.status, json);
    return normal(json);
  };
  const open = async function* (response: Response) {
    if (!isEventStream(response)) throw new A2AFailure(response.status, (await response.json()) as Json);
    for await (const { id, data } of eventsOf(response)) yield { ...normal(data), eventId: id };
  };
  return {
    name: `HTTP+JSON v${version}`,
    send: async (message, options = {}) =>
      answer(await post(`${root}/message:send`, body(message, options), { ...own, ...options.headers })),
    async *stream(message, options = {}) {
      yield* open(await post(`${root}/message:stream`, body(message, options), { ...own, ...options.headers }));
    },
    get: async (id, historyLength) => {
      const query = historyLength === undefined ? '' : `?historyLength=${historyLength}`;
      return answer(await fetch(`${root}/tasks/${id}${query}`, { headers: own }));
    },
    cancel: async (id) => answer(await post(`${root}/tasks/${id}:cancel`, {}, own)),
    async *subscribe(id, headers = {}) {
      yield* open(await fetch(`${root}/tasks/${id}:subscribe`, { headers: { ...own, ...headers } }));
    },
    close: () => {},
  };
}

type Callback = (error: (Error & { code: number }) | null, value: never) => void;
type Unary = (request: unknown, metadata: Metadata, done: Callback) => void;
type Streaming = (request: unknown, metadata: Metadata) => ClientReadableStream<StreamResponse>;
type GrpcClient = Record<'sendMessage' | 'getTask' | 'cancelTask', Unary> &
  Record<'sendStreamingMessage' | 'subscribeToTask', Streaming> & { close(): void };

export function grpc(port: number): Transport & { readonly client: GrpcClient } {
  const Client = makeGenericClientConstructor(A2AService, 'A2A');
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure()) as unknown as GrpcClient;
  const withVersion = (headers: Record<string, string> = {}): Metadata => {
    const metadata = new Metadata();
    for (const [key, value] of Object.entries({ ...v1, ...headers })) metadata.set(key, value);
    return metadata;
  };
  const unary = <T>(method: 'sendMessage' | 'getTask' | 'cancelTask', request: unknown, headers?: Options['headers']) =>
    new Promise<T>((resolve, reject) =>
      client[method](request, withVersion(headers), (error, value) =>
        error ? reject(new A2AFailure(error.code, { message: error.message })) : resolve(value),
      ),
    );
  const open = async function* (call: ClientReadableStream<StreamResponse>) {
    try {
      for await (const event of call as AsyncIterable<StreamResponse>)
        yield normal(StreamResponse.toJSON(event) as Json);
    } catch (error) {
      const { code, message } = error as Error & { code: number };
      throw new A2AFailure(code, { message });
    } finally {
      call.cancel();
    }
  };
  const request = (message: Outgoing, { configuration }: Options): SendMessageRequest =>
    SendMessageRequest.fromJSON({ message: toNew(message), configuration });
  return {
    name: 'gRPC v1.0',
    client,
    send: async (message, options = {}) =>
      normal(
        SendMessageResponse.toJSON(
          await unary<SendMessageResponse>('sendMessage', request(message, options), options.headers),
        ) as Json,
      ),
    stream: (message, options = {}) =>
      open(client.sendStreamingMessage(request(message, options), withVersion(options.headers))),
    get: async (id, historyLength) =>
      normal(Task.toJSON(await unary<Task>('getTask', GetTaskRequest.fromJSON({ id, historyLength }))) as Json),
    cancel: async (id) =>
      normal(Task.toJSON(await unary<Task>('cancelTask', CancelTaskRequest.fromJSON({ id }))) as Json),
    subscribe: (id, headers) =>
      open(client.subscribeToTask(SubscribeToTaskRequest.fromJSON({ id }), withVersion(headers))),
    close: () => client.close(),
  };
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export async function* eventsOf(response: Response): AsyncGenerator<{ id: number; data: Json }, void, undefined> {
  let rest = '';
  if (!response.body) return;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined)
        yield { id: Number(/^id: (\d+)$/m.exec(block)?.[1] ?? -1), data: JSON.parse(data) as Json };
    }
  }
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

function withLength(historyLength: number | undefined): Json {
  return historyLength === undefined ? {} : { historyLength };
}

function unwrap(envelope: Json): Json {
  const error = envelope['error'] as Json | undefined;
  if (error) throw new A2AFailure(error['code'] as number, error);
  return envelope['result'] as Json;
}

function ids({ messageId = nextId(), taskId, contextId, metadata }: Outgoing): Json {
  return {
    messageId,
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function toNew(message: Outgoing): Json {
  const { text, data } = message;
  const parts = [...(text === undefined ? [] : [{ text }]), ...(data === undefined ? [] : [{ data }])];
  return { ...ids(message), role: 'ROLE_USER', parts };
}

export function toOld(message: Outgoing): Json {
  const { text, data } = message;
  const parts = [
    ...(text === undefined ? [] : [{ kind: 'text', text }]),
    ...(data === undefined ? [] : [{ kind: 'data', data }]),
  ];
  return { kind: 'message', ...ids(message), role: 'user', parts };
}

function toOldProto(message: Outgoing): Json {
  const { text, data } = message;
  const content = [...(text === undefined ? [] : [{ text }]), ...(data === undefined ? [] : [{ data: { data } }])];
  return { ...ids(message), role: 'ROLE_USER', content };
}

type WirePart = { text?: string; data?: Json };
type WireMessage = { messageId?: string; parts?: WirePart[]; content?: WirePart[]; contextId?: string };
type WireEvent = {
  id?: string;
  taskId?: string;
  contextId?: string;
  status?: { state?: string; timestamp?: string; message?: WireMessage; update?: WireMessage };
  artifact?: { parts?: WirePart[] };
  final?: boolean;
  metadata?: Json;
  history?: unknown[];
};

export function normal(given: Json): Seen {
  const { what, value } = kindOf(given);
  const event = value as WireEvent & WireMessage;
  const message = what === 'message' ? event : (event.status?.message ?? event.status?.update);
  const parts = event.artifact?.parts ?? message?.parts ?? message?.content ?? [];
  const id = event.id ?? event.taskId;
  return {
    what,
    ...(id === undefined ? {} : { id }),
    ...(event.contextId === undefined ? {} : { contextId: event.contextId }),
    ...(event.status?.state === undefined ? {} : { state: stateOf(event.status.state) }),
    ...(event.final === undefined ? {} : { final: event.final }),
    ...(event.status?.timestamp === undefined ? {} : { at: event.status.timestamp }),
    texts: parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
    data: parts.flatMap(({ data }) => (data === undefined ? [] : [(data['data'] as Json | undefined) ?? data])),
    metadata: event.metadata ?? {},
    history: event.history?.length ?? 0,
  };
}

const names: Readonly<Record<string, Seen['what']>> = {
  task: 'task',
  statusUpdate: 'status',
  'status-update': 'status',
  artifactUpdate: 'artifact',
  'artifact-update': 'artifact',
  message: 'message',
  msg: 'message',
};

function kindOf(given: Json): { what: Seen['what']; value: Json } {
  const kind = given['kind'];
  if (typeof kind === 'string') return { what: names[kind] ?? 'task', value: given };
  const key = Object.keys(given).find((name) => name in names && typeof given[name] === 'object');
  return key === undefined || 'id' in given
    ? { what: 'task', value: given }
    : { what: names[key] ?? 'task', value: given[key] as Json };
}

function stateOf(state: string): string {
  const plain = state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return plain === 'cancelled' ? 'canceled' : plain;
}
