import type { AuditLog } from '../../domain/audit.js';
import type { Origin } from '../../domain/events.js';
import { RecentMap } from '../../util/recent-map.js';

/** A client that comes again within this time is not recorded again: phones lose their connection whenever they are locked. */
const everyMs = 3_600_000;
const remembered = 10_000;

/** Records who connects to which session. */
export function auditVisits(audit: AuditLog, now = () => new Date()): (taskId: string, by: Origin) => void {
  const recent = new RecentMap<string, number>(remembered);
  return (taskId, by) => {
    const key = JSON.stringify([taskId, by.surface, by.client, by.principal]);
    const at = now();
    const last = recent.get(key);
    if (last !== undefined && at.getTime() - last < everyMs) return;
    recent.set(key, at.getTime());
    audit.add({ at: at.toISOString(), by, action: 'connect', taskId });
  };
}
