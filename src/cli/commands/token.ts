import { userInfo } from 'node:os';
import { AuditFolder } from '../../audit/audit-folder.js';
import type { AuditAction } from '../../domain/audit.js';
import { isScope, type Scope, scopes } from '../../auth/principal.js';
import { TokenFolder } from '../../auth/token-folder.js';
import { Tokens } from '../../auth/tokens.js';
import { openStoredTokens } from '../../stores/open-tokens.js';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { parseExpiry } from '../argv/expiry.js';
import { columns } from '../../util/text/columns.js';
import type { Io } from '../view/io.js';
import { defined } from '../../util/defined.js';

/** `cosession token …`: creates, lists and revokes the tokens for this user's servers. */
export async function token({ flags, words }: GivenTo<'token'>, { stateDir, stdout }: Io): Promise<number> {
  const audit = new AuditFolder(stateDir);
  const by = { surface: 'cli', client: userInfo().username } as const;
  const record: Recorder = (action) => audit.add({ at: new Date().toISOString(), by, ...action });
  const stored = flags.store === undefined ? undefined : await openStoredTokens(flags.store);
  try {
    const tokens = stored ? new Tokens(stored) : new TokenFolder(stateDir);
    stdout.write(await answer(flags, words, tokens, record));
  } finally {
    await stored?.close();
  }
  await audit.flush();
  return 0;
}

type Recorder = (action: AuditAction) => void;

type TokenFlags = GivenTo<'token'>['flags'];

async function answer(flags: TokenFlags, words: readonly string[], tokens: Tokens, record: Recorder): Promise<string> {
  const [verb, name] = words;
  if (verb === 'create' && name === undefined) return create(tokens, flags, record);
  if (verb === 'list' && name === undefined) return list(tokens, flags.json);
  if (verb === 'revoke' && name !== undefined) return revoke(tokens, name, flags.json, record);
  throw new UsageError(`cosession token ${words.join(' ')}: not understood; see cosession token --help`);
}

async function create(tokens: Tokens, { name, scope, expires, json }: TokenFlags, record: Recorder): Promise<string> {
  if (name === undefined) throw new UsageError('a token needs a --name; see cosession token --help');
  if (scope === undefined) throw new UsageError(`a token needs a --scope: ${scopes.join(', ')}`);
  const given = parseScopes(scope);
  const expiresAt = expires === undefined ? undefined : parseExpiry(expires, new Date());
  const token = await tokens.create({ name, scopes: given, ...defined({ expiresAt }) });
  const until = expiresAt && { expiresAt: expiresAt.toISOString() };
  record({ action: 'token-create', token: name, scopes: given, ...until });
  if (json) return `${JSON.stringify({ name, scopes: given, expiresAt, token })}\n`;
  const validity = until ? `until ${until.expiresAt}` : 'until it is revoked';
  return `${token}\n\nThis is the only time it is shown. It is valid ${validity}. Scopes: ${given.join(', ')}.\n`;
}

async function list(tokens: Tokens, isJson: boolean): Promise<string> {
  const { tokens: known, damaged } = await tokens.list();
  if (isJson) return `${JSON.stringify({ tokens: known, damaged }, null, 2)}\n`;
  if (known.length + damaged.length === 0)
    return 'No tokens. Make one with: cosession token create --name <name> --scope prompt,approve\n';
  const rows = known.map(({ name, kind, scopes: given, createdAt, expiresAt = 'never', lastUsedAt = 'never' }) => {
    return [name, kind, given.join(','), createdAt, expiresAt, lastUsedAt];
  });
  const broken = damaged.map((name) => [name, 'damaged: revoke it']);
  return columns([['NAME', 'KIND', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows, ...broken]);
}

async function revoke(tokens: Tokens, name: string, isJson: boolean, record: Recorder): Promise<string> {
  if (!(await tokens.revoke(name))) throw new Error(`there is no token "${name}"; see cosession token list`);
  record({ action: 'token-revoke', token: name });
  return isJson ? `${JSON.stringify({ revoked: name })}\n` : `The token "${name}" is revoked.\n`;
}

function parseScopes(text: string): Scope[] {
  return [...new Set(text.split(',').map((word) => word.trim()))].map((word) => {
    if (isScope(word)) return word;
    throw new UsageError(`"${word}" is not a scope; use ${scopes.join(', ')}`);
  });
}
