export type Json = { readonly [key: string]: unknown };

/** What a test sends, in no version's form. */
export type Outgoing = {
  readonly messageId?: string;
  readonly text?: string;
  readonly data?: Json;
  /** The media type of an attached file. */
  readonly file?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly metadata?: Json;
};

export type Options = {
  readonly configuration?: Json;
  readonly webhook?: Webhook;
  readonly headers?: Record<string, string>;
};

/** A webhook configuration in no version's form. */
export type Webhook = {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly scheme?: string;
  readonly credentials?: string;
};

/** One event or answer in no version's form. */
export type Seen = {
  readonly what: 'task' | 'status' | 'artifact' | 'message';
  readonly id?: string;
  readonly contextId?: string;
  readonly messageId?: string;
  readonly state?: string;
  readonly final?: boolean;
  readonly at?: string;
  readonly texts: readonly string[];
  readonly data: readonly Json[];
  readonly metadata: Json;
  readonly history: number;
  readonly artifacts: number;
  /** Of an artifact update: which artifact, and how its parts join what was there. */
  readonly chunk?: { readonly id: string; readonly append: boolean; readonly lastChunk: boolean };
  /** Of a task: the text of its artifacts by their ids. */
  readonly made?: Readonly<Record<string, string>>;
  readonly eventId?: number;
};

/** A page of ListTasks. */
export type Page = {
  readonly tasks: readonly Seen[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
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

export const transportNames = [
  'JSON-RPC v1.0',
  'JSON-RPC v0.3',
  'HTTP+JSON v1.0',
  'HTTP+JSON v0.3',
  'gRPC v1.0',
  'gRPC v0.3',
] as const;

export type TransportName = (typeof transportNames)[number];

/** The same operations on every transport and version. Failures are thrown as the code of the transport. */
export type Transport = {
  readonly name: TransportName;
  send(message: Outgoing, options?: Options): Promise<Seen>;
  stream(message: Outgoing, options?: Options): AsyncGenerator<Seen, void, undefined>;
  get(id: string, historyLength?: number): Promise<Seen>;
  cancel(id: string): Promise<Seen>;
  subscribe(id: string, headers?: Record<string, string>): AsyncGenerator<Seen, void, undefined>;
  /** v0.3 has no such operation. */
  list?(params: Json): Promise<Page>;
  readonly webhooks: {
    create(taskId: string, webhook: Webhook, headers?: Record<string, string>): Promise<Webhook>;
    get(taskId: string, id: string): Promise<Webhook>;
    list(taskId: string): Promise<readonly Webhook[]>;
    delete(taskId: string, id: string): Promise<void>;
  };
  /** The names of the skills of the extended card. */
  extendedSkills(): Promise<readonly string[]>;
  /** The extensions that the answer to a stream says are in force. */
  activated(message: Outgoing, options: Options): Promise<string>;
  close(): void;
};

export async function all(events: AsyncGenerator<Seen, void, undefined>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** A subscription that is in force: its task has arrived. What follows is collected until it ends. */
export async function watch(events: AsyncGenerator<Seen, void, undefined>): Promise<{ rest: Promise<Seen[]> }> {
  await events.next();
  return { rest: all(events) };
}

let count = 0;
export const nextId = (): string => `message-${++count}-${process.pid}`;

export const v1 = { 'a2a-version': '1.0' };
