import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` is `folder` or inside it. Both must be real paths: no links, no `..`, and spelled as on disk. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
