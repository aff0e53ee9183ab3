import { auditActions } from '../../domain/audit.js';
import type { CliCommand, Given } from './command.js';
import { serveFlags } from './serve-flags.js';
import { exitCodeLines, shared } from './shared-flags.js';

const { as, certificate, jsonl, newTask, past, replace, session, store, task, turn, which } = shared;

/** Every command. If the first word is none of these, `cosession` starts the Gemini CLI. */
export const commands = {
  serve: {
    summary: 'serve many durable sessions over A2A, without a terminal',
    flags: serveFlags,
    envPrefix: 'COSESSION_',
    variables: { GEMINI_API_KEY: 'API key; or log in as with the Gemini CLI (settings.json, Vertex AI)' },
    notes: `Try it
  cosession serve --demo
  curl http://localhost:41242/.well-known/agent-card.json
  curl -N http://localhost:41242/message/stream -H 'content-type: application/json' \\
    -d '{"userMessage":{"kind":"text-content","text":"hello"}}'`,
  },
  ls: {
    summary: 'list the live sessions of this user',
    flags: { json: { name: '--json', type: 'switch', help: 'print JSON for programs, including the tokens' } },
  },
  attach: {
    ...session,
    summary: 'join a live session from this terminal; Ctrl-C leaves it running',
    operands: '[session]',
    takesSession: 'name',
    flags: { ...which, ...task, ...newTask, ...past, ...as },
  },
  watch: {
    ...session,
    summary: 'show what happens in a live session',
    operands: '[session]',
    takesSession: 'name',
    flags: {
      ...which,
      ...task,
      ...past,
      ...jsonl,
      json: { name: '--json', type: 'switch', help: 'the same as --jsonl' },
      ...as,
    },
  },
  send: {
    ...session,
    summary: 'send a prompt and print the reply on stdout, everything else on stderr',
    operands: '[url] <text>|-',
    takesSession: 'address',
    words: Infinity,
    flags: { ...which, ...task, ...newTask, ...turn, ...as },
    notes: `${session.notes}

The text
  "-" as the last word adds what is piped in; without any word, the whole text is read from there.

Exit codes
${exitCodeLines()}`,
  },
  approve: {
    ...session,
    summary: 'answer the open question, by number or id',
    operands: '[url] [option]',
    takesSession: 'address',
    words: 1,
    flags: {
      ...which,
      ...task,
      call: { name: '--call', type: 'text', value: 'id', help: 'which question to answer if several are open' },
      ...as,
    },
  },
  cancel: {
    ...session,
    summary: 'stop the running turn',
    operands: '[session]',
    takesSession: 'name',
    flags: { ...which, ...task, ...as },
  },
  acp: {
    ...session,
    summary: 'run as an ACP agent on stdin and stdout, for editors: see docs/acp.md',
    operands: '[session]',
    takesSession: 'name',
    flags: which,
  },
  open: {
    ...session,
    summary: 'open the page of a live session in the browser',
    operands: '[session]',
    takesSession: 'name',
    flags: which,
  },
  share: {
    ...session,
    summary: 'let a browser join: prints a one-time code, a link and a QR code',
    operands: '[session]',
    takesSession: 'name',
    flags: {
      ...which,
      role: {
        name: '--role',
        type: 'text',
        value: 'role',
        choices: ['watch', 'approve', 'work'],
        default: 'watch',
        help: 'watch: see everything; approve: also answer questions; work: also prompt',
      },
      expires: {
        name: '--expires',
        type: 'text',
        value: 'time',
        default: '2h',
        help: 'when the pairing ends: 30m, 2h, 7d or a date, at most 30d; the code itself works for two minutes',
      },
      task: { name: '--task', type: 'text', value: 'id', help: 'share only this task of a server' },
      printLink: { name: '--print-link', type: 'switch', help: 'print only the link' },
    },
  },
  token: {
    summary: 'manage the tokens that let programs and people use your servers; only hashes are kept',
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
        help: 'create: one or more of view, prompt, approve, metrics, admin, separated by commas',
      },
      expires: {
        name: '--expires',
        type: 'text',
        value: 'time',
        help: 'create: 30m, 12h, 30d or a date (default: valid until revoked)',
      },
      store: {
        name: '--store',
        type: 'text',
        value: 'url',
        help: 'the tokens of a cluster, in its postgres:// store (default: those of the state folder)',
      },
      json: { name: '--json', type: 'switch', help: 'print JSON for programs' },
    },
    notes: `What it does
  cosession token create --name <name> --scope <scopes> [--expires <time>]   create a token and show it once
  cosession token list                                                      list them; the tokens themselves are not shown
  cosession token revoke <name>                                             reject it from now on

view sees everything, prompt sends prompts, approve answers questions (both include view), admin may do everything,
including slash commands.`,
  },
  tasks: {
    summary: 'list, show, delete, export or import the tasks of a server',
    operands: 'ls|show|rm|export|import [id] [file]',
    words: 3,
    verbs: ['ls', 'show', 'rm', 'export', 'import'],
    flags: {
      server: {
        name: '--server',
        type: 'text',
        value: 'url',
        help: 'ls, show, rm: ask a running server, not the store',
      },
      ...store,
      state: {
        name: '--state',
        type: 'text',
        value: 'state',
        choices: ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'],
        help: 'ls: only tasks in this state',
      },
      ...replace,
      json: { name: '--json', type: 'switch', help: 'ls: print JSON lines for programs' },
    },
    variables: { COSESSION_TOKEN: 'token for --server', ...certificate },
    notes: `What it does
  cosession tasks ls                    list the tasks, newest first
  cosession tasks show <id>             show what is stored about a task
  cosession tasks rm <id>               delete a task that no server is using
  cosession tasks export <id> <file>    write a task to a file; .gz compresses it
  cosession tasks import <file>         store the tasks of a file`,
  },
  store: {
    summary: 'check, back up, restore or migrate what servers keep about their tasks',
    operands: 'check|backup|restore|migrate [file|from to]',
    words: 3,
    verbs: ['check', 'backup', 'restore', 'migrate'],
    flags: { ...store, ...replace },
    notes: `What it does
  cosession store check                 read everything and report what is damaged; exit code 1 if anything is
  cosession store backup <file>         write all tasks to a file; servers may keep running
  cosession store restore <file>        store the tasks of a backup
  cosession store migrate <from> <to>   copy all tasks, e.g. sqlite: postgres://…; repeat it if it was interrupted`,
  },
  config: {
    summary: 'check a configuration file for cosession serve --config',
    operands: 'check <file>',
    words: 2,
    verbs: ['check'],
    flags: {},
  },
  drain: {
    summary: 'let a server finish its running turns and stop; returns when it has stopped',
    operands: '<url>',
    takesSession: 'address',
    flags: {},
    variables: { COSESSION_TOKEN: 'token with the scope admin', ...certificate },
  },
  audit: {
    summary: 'show who prompted, answered, cancelled, deleted or was refused',
    operands: '[url]',
    takesSession: 'address',
    flags: {
      since: { name: '--since', type: 'text', value: 'time', help: '30m, 12h, 30d or a date (default 1d)' },
      action: {
        name: '--action',
        type: 'text',
        value: 'action',
        choices: auditActions,
        help: 'only this action',
      },
      principal: { name: '--principal', type: 'text', value: 'id', help: 'only what this principal did' },
      task: { name: '--task', type: 'text', value: 'id', help: 'only what was done in this task' },
      json: { name: '--json', type: 'switch', help: 'print JSON lines for programs' },
    },
    variables: { COSESSION_TOKEN: 'token of a server, with the scope admin', ...certificate },
    notes:
      'Without a url, it reads the audit log of this state folder: live sessions, tokens, and servers that use it.',
  },
  completion: {
    summary: 'print shell code that completes commands, flags and sessions',
    operands: 'bash|zsh|fish',
    words: 1,
    verbs: ['bash', 'zsh', 'fish'],
    flags: {},
    notes: `Where to put it
  bash   in ~/.bashrc: source <(cosession completion bash)
  zsh    in ~/.zshrc, after compinit: source <(cosession completion zsh)
  fish   cosession completion fish > ~/.config/fish/completions/cosession.fish`,
  },
  alias: { summary: 'print shell code that makes "gemini" start cosession: eval "$(cosession alias)"', flags: {} },
} as const satisfies Record<string, CliCommand>;

export type CommandName = keyof typeof commands;

/** The parsed arguments of the command with this name. */
export type GivenTo<Name extends CommandName> = Given<(typeof commands)[Name]>;

export function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word);
}
