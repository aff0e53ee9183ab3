import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../domain/errors.js';

export type WorkspaceRules = {
  /** Folders that workspaces may be in, or be. */
  readonly roots: readonly string[];
  /** Where a session works that asks for nothing; paths that are not absolute start here. */
  readonly defaultWorkspace: string;
};

/**
 * The real path of the folder that a client asks to work in. Links are followed before the roots are compared, so
 * neither `..` nor a link leads out; the refusal says nothing about what exists outside.
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

/** Whether `path` is `folder` or in it. Both must be real paths: no link, no `..`, and the spelling of the disk. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The real path of what exists of a path, with the rest as it was asked for. */
function realPath(path: string): string {
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
