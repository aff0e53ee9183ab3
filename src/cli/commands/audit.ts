import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { AuditFolder } from '../../audit/audit-folder.js';
import { toEntries } from '../../audit/read-audit.js';
import type { AuditEntry, AuditQuery } from '../../domain/audit.js';
import { defined } from '../../util/defined.js';
import { unreachable } from '../../util/unreachable.js';
import { sanitizeLine } from '../../util/text/sanitize.js';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { parseTime } from '../argv/values.js';
import { askServer } from '../find/ask-server.js';
import type { Io } from '../view/io.js';

/** `cosession audit`: who did what, from this state folder or from a server. */
export async function audit({ flags, session: url }: GivenTo<'audit'>, io: Io): Promise<number> {
  const { action, principal, task: taskId, json } = flags;
  const query: AuditQuery = { since: sinceOf(flags.since ?? '1d'), ...defined({ action, principal, taskId }) };
  const entries = url === undefined ? new AuditFolder(io.stateDir).read(query) : await entriesOf(io, url, query);
  let count = 0;
  for await (const entry of entries) {
    count++;
    io.stdout.write(json ? `${JSON.stringify(entry)}\n` : `${sanitizeLine(lineOf(entry), 500)}\n`);
  }
  if (count === 0 && !json) io.stdout.write(`Nothing since ${query.since}.\n`);
  return 0;
}

async function entriesOf(io: Io, url: string, query: AuditQuery): Promise<AsyncIterable<AuditEntry>> {
  const { body } = await askServer(io, url, { method: 'GET', path: 'audit', query });
  return toEntries(createInterface({ input: Readable.from(body ?? []) }));
}

function sinceOf(text: string): string {
  const at = parseTime(text, (ms) => Date.now() - ms);
  if (Number.isNaN(at.getTime())) throw new UsageError(`--since takes 30m, 12h, 30d or a date, not "${text}"`);
  return at.toISOString();
}

function lineOf(entry: AuditEntry): string {
  const { principal, surface, client, address } = entry.by;
  const who = [principal ?? client ?? surface ?? 'somebody', ...(address === undefined ? [] : [`from ${address}`])];
  const where = 'taskId' in entry && entry.taskId !== undefined ? ` · task ${entry.taskId}` : '';
  return `${entry.at}  ${who.join(' ')} ${whatIn(entry)}${where}`;
}

function settingsIn({ mode, model }: AuditEntry & { action: 'settings' }): string {
  const changed = [mode === undefined ? [] : `the mode to ${mode}`, model === undefined ? [] : `the model to ${model}`];
  return changed.flat().join(' and ');
}

function whatIn(entry: AuditEntry): string {
  switch (entry.action) {
    case 'prompt':
      return `sent a prompt of ${entry.characters} characters`;
    case 'command':
      return `ran ${entry.command}`;
    case 'answer':
      return `answered ${entry.option} to ${entry.tool}${entry.about === undefined ? '' : `: ${entry.about}`}`;
    case 'connect':
      return 'connected';
    case 'cancel':
      return 'cancelled the turn';
    case 'settings':
      return `set ${settingsIn(entry)}`;
    case 'drain':
      return `drained the server; ${entry.running} running`;
    case 'delete':
      return 'deleted the task';
    case 'token-create':
      return `made the token ${entry.token} for ${entry.scopes.join(', ')}`;
    case 'token-revoke':
      return `revoked the token ${entry.token}`;
    case 'refuse':
      return `was refused (${entry.code}): ${entry.reason}${entry.repeated === undefined ? '' : `; ${entry.repeated} more`}`;
    default:
      return unreachable(entry);
  }
}
