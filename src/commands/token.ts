import { parseArgs } from 'node:util';
import { isScope, type Scope, scopes } from '../auth/principal.js';
import { TokenFolder } from '../auth/token-folder.js';
import { UsageError } from '../config/flags.js';

const help = `Tokens let programs and people use a server of yours. Only a hash of each is kept.

Usage
  cosession token create --name <name> --scope <scopes> [--expires <time>]   make a token and show it, once
  cosession token list                                                      show all but the tokens themselves
  cosession token revoke <name>                                             refuse it from now on

Flags
  --name <name>      a-z, 0-9, "." and "-": shown in lists and logs, and part of the token
  --scope <scopes>   one or more of view, prompt, approve, admin, with commas between them:
                     view sees everything, prompt gives work, approve answers questions (both may view too),
                     admin may do all, slash commands included
  --expires <time>   30m, 12h, 30d or a date; without it the token is valid until it is revoked
  --json             for programs
`;

const options = {
  name: { type: 'string' },
  scope: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `cosession token …`: returns what it prints. */
export async function tokenCommand(argv: readonly string[], stateDir: string): Promise<string> {
  const { values, positionals } = read(argv);
  const [verb, name, ...rest] = positionals;
  const folder = new TokenFolder(stateDir);
  if (values.help || verb === undefined) return help;
  if (verb === 'create' && name === undefined) return create(folder, values);
  if (verb === 'list' && name === undefined) return list(folder, values.json);
  if (verb === 'revoke' && name !== undefined && rest.length === 0) return revoke(folder, name, values.json);
  throw new UsageError(`cosession token ${positionals.join(' ')}: not understood; see cosession token --help`);
}

type Values = { name?: string; scope?: string; expires?: string; json: boolean; help: boolean };

function read(argv: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('.')[0] : 'not understood';
    throw new UsageError(`cosession token: ${why}; see cosession token --help`);
  }
}

async function create(folder: TokenFolder, { name, scope, expires, json }: Values): Promise<string> {
  if (name === undefined) throw new UsageError('a token needs a --name; see cosession token --help');
  if (scope === undefined) throw new UsageError(`a token needs a --scope: ${scopes.join(', ')}`);
  const given = parseScopes(scope);
  const expiresAt = expires === undefined ? undefined : parseExpiry(expires, new Date());
  const token = await folder.create({ name, scopes: given, ...(expiresAt === undefined ? {} : { expiresAt }) });
  if (json) return `${JSON.stringify({ name, scopes: given, expiresAt, token })}\n`;
  const until = expiresAt === undefined ? 'until it is revoked' : `until ${expiresAt.toISOString()}`;
  return `${token}\n\nThis is the only time it is shown. It is valid ${until}, for ${given.join(' and ')}.\n`;
}

async function list(folder: TokenFolder, isJson: boolean): Promise<string> {
  const { tokens, damaged } = await folder.list();
  if (isJson) return `${JSON.stringify({ tokens, damaged }, null, 2)}\n`;
  if (tokens.length + damaged.length === 0)
    return 'No tokens. Make one with: cosession token create --name <name> --scope prompt,approve\n';
  const rows = tokens.map(({ name, scopes: given, createdAt, expiresAt = 'never', lastUsedAt = 'never' }) => {
    return [name, given.join(','), createdAt, expiresAt, lastUsedAt];
  });
  const broken = damaged.map((name) => [name, 'damaged: revoke it']);
  return table([['NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows, ...broken]);
}

async function revoke(folder: TokenFolder, name: string, isJson: boolean): Promise<string> {
  if (!(await folder.revoke(name))) throw new Error(`there is no token "${name}"; see cosession token list`);
  return isJson ? `${JSON.stringify({ revoked: name })}\n` : `The token "${name}" is refused from now on.\n`;
}

function parseScopes(text: string): Scope[] {
  return [...new Set(text.split(',').map((word) => word.trim()))].map((word) => {
    if (isScope(word)) return word;
    throw new UsageError(`"${word}" is not a scope; there are ${scopes.join(', ')}`);
  });
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseExpiry(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const at = count === undefined ? new Date(text) : new Date(now.getTime() + Number(count) * (unitMs[unit] ?? 0));
  if (Number.isNaN(at.getTime())) throw new UsageError(`--expires takes 30m, 12h, 30d or a date, not "${text}"`);
  if (at <= now) throw new UsageError(`--expires must be in the future, and ${text} is not`);
  return at;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
