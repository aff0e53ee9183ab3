import type { Json, Page, Seen } from './transport.js';

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
  artifacts?: unknown[];
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

export function pageOf(given: Json): Page {
  const { tasks = [], nextPageToken, pageSize, totalSize = 0 } = given as Partial<Page> & { tasks?: readonly Json[] };
  if (nextPageToken === undefined || pageSize === undefined) throw new Error('every page has its token and its size');
  return { tasks: tasks.map(normal), nextPageToken, pageSize, totalSize };
}

export function skillsOf(card: Json): string[] {
  return ((card['skills'] ?? []) as { name: string }[]).map(({ name }) => name);
}
