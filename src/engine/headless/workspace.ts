import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../domain/errors.js';
import { isInside } from '../../util/is-inside.js';

export type WorkspaceRules = {
  /** Folders that a workspace may be, or be inside. */
  readonly roots: readonly string[];
  /** The folder of a session that does not ask for one. Relative paths start here. */
  readonly defaultWorkspace: string;
};

/**
 * The real path of the folder that a client asks to work in. Links are resolved before the roots are compared, so
 * neither `..` nor a link leads outside. The refusal does not reveal what exists there.
 */
export function resolveWorkspace(requested: string | undefined, { roots, defaultWorkspace }: WorkspaceRules): string {
  if (requested?.includes('\0')) throw refusal(requested);
  const wanted = realPath(resolve(defaultWorkspace, requested ?? '.'));
  const allowed = [defaultWorkspace, ...roots].map((root) => realPath(resolve(root)));
  if (!allowed.some((root) => isInside(wanted, root))) throw refusal(requested);
  if (!existsSync(wanted) || !statSync(wanted).isDirectory())
    throw new AppError('bad-request', `the workspace ${requested ?? wanted} is not a folder`);
  return wanted;
}

/** The real path of the part that exists, with the rest as requested. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function refusal(requested: string | undefined): AppError {
  return new AppError(
    'workspace-not-allowed',
    `the workspace ${JSON.stringify(requested ?? '')} is outside the folders that this server serves`,
  );
}
