import * as z from 'zod';
import type { ClientList } from '../domain/client.js';
import { AppError, type ErrorCode } from '../domain/errors.js';
import type { SessionEvent } from '../domain/events.js';
import type { StoredTask } from '../stores/store.js';

/**
 * The messages between the servers of a cluster. All servers trust each other and run nearly the same version: a message
 * names its version, and the oldest one that can read it. New fields are optional; a new request is sent only to servers
 * that understand it.
 */
export const speaks = 2;
const readableSince = 1;

/** A request to the server that runs a task. `about` belongs to the operation. */
export type Asked = { readonly op: string; readonly taskId: string; readonly about: unknown };

/** `moved`: that server does not run the task, or no longer does. `seq`: the newest event of the task at that time. */
export type TaskReply =
  | { readonly is: 'done'; readonly value: unknown; readonly seq: number }
  | { readonly is: 'moved' }
  | { readonly is: 'refused'; readonly code: string; readonly message: string; readonly details: object };

/**
 * To the servers that follow a task: events in order, or, if there are too many, only the seq up to which the store has
 * them.
 */
export type News = { readonly events: readonly SessionEvent[] } | { readonly until: number };

/**
 * To the servers whose clients take part in a task: the clients at the sender. `asks`: the others should reply with
 * theirs.
 */
type Who = ClientList & { readonly server: string; readonly asks?: boolean };

export type Announcement =
  | { readonly is: 'saved'; readonly taskId: string }
  | { readonly is: 'removed'; readonly task: StoredTask }
  /** A server has stopped, or one of us has found it gone. */
  | { readonly is: 'gone'; readonly server: string }
  | { readonly is: 'told'; readonly topic: string; readonly about: unknown };

const errorCode = z.custom<ErrorCode>();
const news = z.custom<News>();
const who = z.object({ who: z.custom<Who>() });
const announcement = z.custom<Announcement>();
const envelope = z.object({ min: z.number().default(1) });
const asked = z.object({ op: z.string(), taskId: z.string(), about: z.unknown() });
const reply = z.discriminatedUnion('is', [
  z.object({ is: z.literal('done'), value: z.unknown(), seq: z.number() }),
  z.object({ is: z.literal('moved') }),
  z.object({
    is: z.literal('refused'),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
]);

export function toText(message: Asked | News | Announcement): string {
  return JSON.stringify({ v: speaks, min: readableSince, ...message });
}

function read(text: string): unknown {
  const message: unknown = JSON.parse(text);
  const { min } = envelope.parse(message);
  if (min > speaks)
    throw new AppError('unknown-method', `the message needs version ${min} of the cluster, this server has ${speaks}`);
  return message;
}

export function readAsked(text: string): Asked {
  return asked.parse(read(text));
}

export function readTaskReply(text: string): TaskReply {
  return reply.parse(JSON.parse(text));
}

export function toRefused({ code, message, details }: AppError): TaskReply {
  return { is: 'refused', code, message, details };
}

export function fromRefused({ code, message, details }: TaskReply & { is: 'refused' }): AppError {
  // A server of another version may send a code that we do not know; it is passed on unchanged.
  return new AppError(errorCode.parse(code), message, { details: { ...details } });
}

/** Events are read as those of the store are: without a check, because we wrote them. Undefined if it is no news. */
export function readNews(text: string): News | undefined {
  return isWho(text) ? undefined : news.parse(read(text));
}

/** Undefined if it is news. News is frequent and long, so readers that do not need it skip parsing it. */
export function readWho(text: string): Who | undefined {
  return isWho(text) ? who.parse(JSON.parse(text)).who : undefined;
}

function isWho(text: string): boolean {
  return text.startsWith('{"who":');
}

export function readAnnouncement(text: string): Announcement {
  return announcement.parse(read(text));
}
