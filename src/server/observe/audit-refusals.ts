import type { AuditLog } from '../../domain/audit.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { OnRefused } from '../guards/credential-check.js';
import { defined } from '../../util/defined.js';
import { RecentMap } from '../../util/recent-map.js';
import { sanitizeLine } from '../../util/text/sanitize.js';

/** The same refusal of the same caller is recorded at most this often, so nobody can flood the log with refused requests. */
const everyMs = 60_000;
const remembered = 10_000;

/** Not a decision about the caller: the issuer of its token cannot be reached. */
const ignored: ReadonlySet<ErrorCode> = new Set(['auth-unavailable', 'internal']);

/** Records what the guards refuse. */
export function auditRefusals(audit: AuditLog, now = () => new Date()): OnRefused {
  const recent = new RecentMap<string, { at: number; repeated: number }>(remembered);
  return ({ code, message }, { address, principal }) => {
    if (ignored.has(code)) return;
    const key = `${code} ${principal ?? ''} ${address ?? ''}`;
    const at = now();
    const last = recent.get(key);
    if (last && at.getTime() - last.at < everyMs) {
      last.repeated++;
      return;
    }
    recent.set(key, { at: at.getTime(), repeated: 0 });
    audit.add({
      at: at.toISOString(),
      action: 'refuse',
      by: { ...defined({ address }), ...(principal === undefined ? {} : { principal: sanitizeLine(principal, 200) }) },
      code,
      reason: sanitizeLine(message, 200),
      ...(last?.repeated ? { repeated: last.repeated } : {}),
    });
  };
}
