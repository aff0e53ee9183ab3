import type { CliCommand, Given } from './command.js';
import type { Flags } from './flag.js';
import { serveFlags } from './serve-flags.js';

const as = {
  as: { name: '--as', type: 'text', value: 'name', help: 'the name that the terminal and other clients see' },
} as const satisfies Flags;

const json = {
  json: { name: '--json', type: 'switch', help: 'events as they come, one JSON object per line' },
} as const satisfies Flags;

const session = {
  takesAddress: true,
  variables: { COSESSION_TOKEN: 'the token, for a session that cosession ls does not show' },
  notes: 'Without a url: the only live session, or the newest in this folder.',
} as const;

/** Every command. Without one of these words `cosession` starts the Gemini CLI. */
export const commands = {
  serve: {
    summary: 'many sessions without a terminal, durable and shared over A2A',
    flags: serveFlags,
    envPrefix: 'COSESSION_',
    variables: { GEMINI_API_KEY: 'the key; or log in as the Gemini CLI does (settings.json, Vertex AI)' },
    notes: `Try it
  cosession serve --demo
  curl http://localhost:41242/.well-known/agent-card.json
  curl -N http://localhost:41242/message/stream -H 'content-type: application/json' \\
    -d '{"userMessage":{"kind":"text-content","text":"hello"}}'`,
  },
  ls: {
    summary: 'list the live sessions of this user',
    flags: { json: { name: '--json', type: 'switch', help: 'for programs; the tokens are in it' } },
  },
  attach: {
    ...session,
    summary: 'take part in a live session from here; Ctrl-C leaves it running',
    operands: '[url]',
    flags: as,
  },
  watch: { ...session, summary: 'show what happens in a live session', operands: '[url]', flags: { ...json, ...as } },
  send: {
    ...session,
    summary: 'send a prompt and show its turn',
    operands: '[url] <text>',
    words: Infinity,
    flags: { ...json, ...as },
  },
  approve: {
    ...session,
    summary: 'answer the open question, by number or id',
    operands: '[url] [option]',
    words: 1,
    flags: {
      call: { name: '--call', type: 'text', value: 'id', help: 'which question, when several are open' },
      ...as,
    },
  },
  cancel: { ...session, summary: 'stop the running turn', operands: '[url]', flags: as },
  acp: {
    ...session,
    summary: 'an ACP agent on stdin and stdout, for editors: see docs/acp.md',
    operands: '[url|session]',
    words: 1,
    flags: {},
    notes: `${session.notes} A session is named by the beginning of its id.`,
  },
  token: {
    summary: 'tokens that let programs and people use a server of yours; only a hash of each is kept',
    operands: 'create|list|revoke [name]',
    words: 2,
    verbs: ['create', 'list', 'revoke'],
    flags: {
      name: {
        name: '--name',
        type: 'text',
        value: 'name',
        help: 'create: a-z, 0-9, "." and "-"; shown in lists and logs, and part of the token',
      },
      scope: {
        name: '--scope',
        type: 'text',
        value: 'scopes',
        help: 'create: one or more of view, prompt, approve, admin, with commas between them',
      },
      expires: {
        name: '--expires',
        type: 'text',
        value: 'time',
        help: 'create: 30m, 12h, 30d or a date; without it the token is valid until it is revoked',
      },
      json: { name: '--json', type: 'switch', help: 'for programs' },
    },
    notes: `What it does
  cosession token create --name <name> --scope <scopes> [--expires <time>]   make a token and show it, once
  cosession token list                                                      show all but the tokens themselves
  cosession token revoke <name>                                             refuse it from now on

view sees everything, prompt gives work, approve answers questions (both may view too), admin may do all, slash
commands included.`,
  },
  alias: { summary: 'shell code that makes "gemini" start cosession: eval "$(cosession alias)"', flags: {} },
} as const satisfies Record<string, CliCommand>;

export type CommandName = keyof typeof commands;

/** What a command is given: its options as its flags in the table say. */
export type GivenTo<Name extends CommandName> = Given<(typeof commands)[Name]>;

export function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word);
}
