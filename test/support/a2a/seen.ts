import type { Json, Page, Seen } from './transport.js';

type WirePart = { text?: string; data?: Json };
type WireMessage = { messageId?: string; parts?: WirePart[]; content?: WirePart[]; contextId?: string };
type WireArtifact = { artifactId?: string; parts?: WirePart[] };
type WireEvent = {
  id?: string;
  taskId?: string;
  contextId?: string;
  status?: { state?: string; timestamp?: string; message?: WireMessage; update?: WireMessage };
  artifact?: WireArtifact;
  append?: boolean;
  lastChunk?: boolean;
  final?: boolean;
  metadata?: Json;
  history?: unknown[];
  artifacts?: WireArtifact[];
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
    ...(message?.messageId === undefined ? {} : { messageId: message.messageId }),
    ...(event.status?.state === undefined ? {} : { state: stateOf(event.status.state) }),
    ...(event.final === undefined ? {} : { final: event.final }),
    ...(event.status?.timestamp === undefined ? {} : { at: event.status.timestamp }),
    texts: parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
    data: parts.flatMap(({ data }) => (data === undefined ? [] : [(data['data'] as Json | undefined) ?? data])),
    metadata: event.metadata ?? {},
    history: event.history?.length ?? 0,
    artifacts: event.artifacts?.length ?? 0,
    ...(event.artifact && {
      chunk: { id: idOf(event.artifact), append: !!event.append, lastChunk: !!event.lastChunk },
    }),
    ...(event.artifacts && { made: Object.fromEntries(event.artifacts.map((each) => [idOf(each), textOf(each)])) }),
  };
}

function idOf({ artifactId = '' }: WireArtifact): string {
  return artifactId;
}

function textOf({ parts = [] }: WireArtifact): string {
  return parts.map(({ text = '' }) => text).join('');
}

/** The text of the artifacts that a client has put together from these events, as A2A says how (4.2.2). */
export function artifactsOf(events: readonly Seen[]): Record<string, string> {
  const made: Record<string, string> = {};
  for (const { chunk, texts, made: given } of events) {
    Object.assign(made, given);
    if (!chunk) continue;
    const known = made[chunk.id];
    if (chunk.append && known === undefined) throw new Error(`there is no artifact "${chunk.id}" to append to`);
    made[chunk.id] = `${chunk.append ? (known ?? '') : ''}${texts.join('')}`;
  }
  return made;
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

export function pageOf(given: Json): Page {
  const { tasks = [], nextPageToken, pageSize, totalSize = 0 } = given as Partial<Page> & { tasks?: readonly Json[] };
  if (nextPageToken === undefined || pageSize === undefined) throw new Error('every page has its token and its size');
  return { tasks: tasks.map(normal), nextPageToken, pageSize, totalSize };
}

export function skillsOf(card: Json): string[] {
  return ((card['skills'] ?? []) as { name: string }[]).map(({ name }) => name);
}
