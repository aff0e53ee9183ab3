import { AppError } from '../domain/errors.js';
import type { StoredTask } from '../stores/store.js';
import { labelIn } from './pinned-roots.js';
import type { RegistryOptions } from './registry-options.js';
import type { SessionWishes } from './sessions.js';
import { defined } from '../util/defined.js';

/** The record of a new task. Throws if the server does not grant what the client asks for. */
export function newTaskRecord(
  id: string,
  wishes: SessionWishes,
  { engines, mayAutoExecute, pinnedRoots }: Pick<RegistryOptions, 'engines' | 'mayAutoExecute' | 'pinnedRoots'>,
): StoredTask {
  if (wishes.autoExecute && !mayAutoExecute)
    throw new AppError(
      'bad-request',
      'this server asks about every tool: start it with --allow-auto-execute to change that',
    );
  const now = new Date().toISOString();
  const workspace = engines.workspace(wishes.workspace);
  const workspaceLabel = labelIn(pinnedRoots ?? [], workspace);
  return {
    id,
    contextId: id,
    state: 'submitted',
    createdAt: now,
    updatedAt: now,
    ...defined({ owner: wishes.owner }),
    workspace,
    model: wishes.model ?? '',
    metadata: { ...(wishes.autoExecute && { autoExecute: true }), ...defined({ workspaceLabel }) },
  };
}
