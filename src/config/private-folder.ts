import { existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Refuses a folder that others may write to, as ssh does. Anyone who can add a token to it, or replace the folder, could grant
 * themselves access. `guarded` names subfolders whose files are checked too. The error message says which command to run.
 */
export function checkPrivate(folder: string, guarded: readonly string[]): void {
  const uid = process.getuid?.();
  // On Windows a folder has the permissions of the user's profile.
  if (uid === undefined) return;
  for (const path of inside(folder, guarded)) {
    // A file may have been removed in the meantime.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.uid !== 0 && stats.uid !== uid) throw belongsToOther(path, stats);
    if (stats && isWritableByOthers(stats)) throw isOpen(path);
  }
  for (const path of above(folder)) {
    const stats = statSync(path);
    if (![0, uid, unknownUid].includes(stats.uid)) throw belongsToOther(path, stats);
    // In a sticky folder such as /tmp, nobody can move another user's files. A user's own group has no other members.
    const isShared = isWritableByOthers(stats) && (stats.mode & sticky) === 0;
    if (isShared && !(stats.gid === uid && (stats.mode & othersWrite) === 0)) throw isOpen(path);
  }
}

/** The owner that a container with its own users shows for users outside it. */
const unknownUid = 65_534;
const sticky = 0o1000;
const othersWrite = 0o002;

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0;
}

/** Yields paths one by one, so that a folder of another user is refused before it is listed. */
function* inside(folder: string, guarded: readonly string[]): Generator<string> {
  yield folder;
  yield* pathsIn(folder);
  for (const name of guarded) yield* pathsIn(join(folder, name));
}

function pathsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** The existing parent folders, nearest first. */
function above(folder: string): string[] {
  const found: string[] = [];
  let path = resolve(folder);
  if (existsSync(path)) path = realpathSync(path);
  for (let parent = dirname(path); parent !== path; path = parent, parent = dirname(path))
    if (existsSync(parent)) found.push(parent);
  return found;
}

function isOpen(path: string): Error {
  return new Error(`others may write to ${path} and could grant themselves access. Run: chmod go-w ${quoted(path)}`);
}

function belongsToOther(path: string, { uid }: Stats): Error {
  return new Error(
    `${path} belongs to another user (id ${uid}), who could grant themselves access. ` +
      `Run: chown -R "$(id -u)" ${quoted(path)}, or name a folder of your own in COSESSION_STATE_DIR`,
  );
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
