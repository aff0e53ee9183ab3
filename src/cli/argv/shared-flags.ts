import { exitCodes } from './exit-codes.js';
import type { Flags } from './flag.js';
import { serveFlags } from './serve-flags.js';

const as = {
  as: {
    name: '--as',
    type: 'text',
    value: 'name',
    help: 'your name in the terminal and for other clients (default user@host)',
  },
} as const satisfies Flags;

const jsonl = {
  jsonl: { name: '--jsonl', type: 'switch', help: 'print events as they arrive, one JSON object per line' },
} as const satisfies Flags;

/** What a script decides about the turn it starts. */
const turn = {
  json: { name: '--json', type: 'switch', help: 'print one JSON object when the turn is over, instead of the reply' },
  ...jsonl,
  timeoutMs: {
    name: '--timeout',
    type: 'seconds',
    value: 'seconds',
    help: 'stop the turn if it is not over by then (default: wait forever)',
  },
  onQuestion: {
    name: '--on-question',
    type: 'text',
    value: 'what',
    choices: ['wait', 'deny', 'fail'],
    default: 'wait',
    help: 'wait for somebody to answer, deny every question, or fail: leave it open and exit with 4',
  },
} as const satisfies Flags;

const certificate = {
  COSESSION_CERTIFICATE: 'file (PEM) of its certificate, if that is self-signed: no other is trusted',
} as const;

const session = {
  variables: {
    COSESSION_TOKEN: 'token of a session that cosession ls does not list; --token wins',
    ...certificate,
  },
  notes: `Which session
  Without a name, it uses the newest live session in this folder or in a folder above it.
  Any session can be named by its folder, its port, its url, or the beginning of its id.
  A task of cosession serve is named by --task, or by the url of the server with ?taskId=<id>.`,
} as const;

const store = {
  store: {
    name: '--store',
    type: 'text',
    value: 'url',
    help: "the store, as for cosession serve (default: COSESSION_STORE, or serve's default)",
  },
} as const satisfies Flags;

const replace = {
  replace: { name: '--replace', type: 'switch', help: 'overwrite tasks that the store has in another version' },
} as const satisfies Flags;

/** How much of the earlier conversation is shown. */
const past = {
  all: { name: '--all', type: 'switch', help: 'start with the whole conversation, not only the last turns' },
  none: { name: '--none', type: 'switch', help: 'start without the earlier conversation' },
} as const satisfies Flags;

/** The flags of every command that needs a session. */
const which = {
  session: { name: '--session', type: 'text', value: 'name', help: 'which session: its folder, port, url or id' },
  any: { name: '--any', type: 'switch', help: 'if there is none in this folder, use the newest of any other' },
  token: {
    name: '--token',
    type: 'text',
    value: 'token',
    help: 'token to send; others can see command lines, so prefer COSESSION_TOKEN',
  },
} as const satisfies Flags;

/** For the tasks of `cosession serve`. */
const task = {
  task: {
    name: '--task',
    type: 'text',
    value: 'id',
    help: `task of cosession serve, by default on port ${serveFlags.port.default} of this machine`,
  },
} as const satisfies Flags;

const newTask = {
  new: { name: '--new', type: 'switch', help: 'create a task on that server first' },
} as const satisfies Flags;

export function exitCodeLines(): string {
  return Object.values(exitCodes)
    .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
    .join('\n');
}

/** What several commands have in common: flags, and how they name a session. */
export const shared = { as, jsonl, turn, certificate, session, store, replace, past, which, task, newTask };
