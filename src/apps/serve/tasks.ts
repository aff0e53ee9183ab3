import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { AuditLog } from '../../domain/audit.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { ServerLog } from '../../domain/server-log.js';
import { auditRefusals } from '../../server/observe/audit-refusals.js';
import { pinnedRootsOf } from './pinned-roots.js';
import { Quota } from '../../tasks/quota.js';
import type { RegistryOptions } from '../../tasks/registry-options.js';
import { Registry } from '../../tasks/registry.js';
import { defined } from '../../util/defined.js';
import type { Gate } from '../../util/fair-gate.js';

/** How many prompts may wait in one task. */
const maxQueued = 100;

export type TasksContext = Pick<RegistryOptions, 'store' | 'claims' | 'engines' | 'elsewhere' | 'onError'> &
  Required<Pick<RegistryOptions, 'onRemoved'>> & {
    readonly gate: Gate;
    readonly audit: AuditLog;
    /** Whose quota a principal uses. */
    readonly accountOf: (principal: string) => string;
    readonly log: ServerLog;
  };

/** The tasks of this server, within the limits that the options set. */
export async function openTasks(
  options: ServeOptions,
  { gate, audit, accountOf, log, ...parts }: TasksContext,
): Promise<Registry> {
  const { denyAfterMs } = options;
  const quota = await openQuota(options, { ...parts, accountOf });
  const registry = new Registry({
    ...parts,
    policy: { allow: options.allowTools, ...defined({ denyAfterMs }) },
    mayAutoExecute: options.mayAutoExecute,
    pinnedRoots: pinnedRootsOf(options.pinnedRoots),
    maxLoaded: options.maxLoaded,
    idleMs: options.idleMs,
    ttlMs: options.ttlMs,
    maxQueued,
    mayPrompt: promptCheck(quota, audit),
    turnEnd: options.turnEnd,
    load: () => ({ running: gate.inside, queued: gate.waiting, isFull: gate.isFull }),
    onClosing: async () => quota?.close(),
    onExpired: (taskId) =>
      audit.add({ at: new Date().toISOString(), by: { surface: 'server' }, action: 'delete', taskId }),
    onLost: (taskId, why) => log.error('task lost', { taskId, reason: why.message, cause: why.cause }),
  });
  if (quota) registry.onSession((session) => quota.watch(session));
  return registry;
}

/** Undefined without a limit: then nothing is counted. */
async function openQuota(
  { turnsPerDay: turns, tokensPerDay: tokens }: ServeOptions,
  { store, accountOf, onError }: Pick<TasksContext, 'store' | 'accountOf' | 'onError'>,
): Promise<Quota | undefined> {
  if (turns === undefined && tokens === undefined) return undefined;
  const quota = new Quota({ store, turns, tokens, accountOf, onError });
  await quota.start();
  return quota;
}

/** A refused prompt is recorded. */
function promptCheck(quota: Quota | undefined, audit: AuditLog): (origin: Origin) => void {
  const refused = auditRefusals(audit);
  return (origin) => {
    try {
      quota?.check(origin);
    } catch (error) {
      if (error instanceof AppError) refused(error, { principal: origin.principal ?? 'owner' });
      throw error;
    }
  };
}
