import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenPlace } from './token-place.js';
import { Tokens } from './tokens.js';

/** The tokens of a state folder. */
export class TokenFolder extends Tokens {
  constructor(stateDir: string) {
    super(folderPlace(join(stateDir, 'tokens')));
  }
}

/** One small file each: creating is an exclusive link, revoking a delete. The time of a file is the last use of its token. */
function folderPlace(folder: string): TokenPlace {
  const fileOf = (name: string): string => join(folder, `${name}.json`);
  return {
    async names() {
      const files = await orUndefined(readdir(folder), 'ENOENT');
      return (files ?? []).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
    },
    read: (name) => orUndefined(readFile(fileOf(name), 'utf8'), 'ENOENT'),
    async create(name, record, at) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Written completely under a name that nobody reads, then linked to its own name unless that exists.
      const draft = join(folder, `.${randomBytes(8).toString('hex')}`);
      try {
        await writeFile(draft, record, { mode: 0o600 });
        await utimes(draft, at, at);
        return (
          (await orUndefined(
            link(draft, fileOf(name)).then(() => true),
            'EEXIST',
          )) === true
        );
      } finally {
        await rm(draft, { force: true });
      }
    },
    remove: async (name) =>
      (await orUndefined(
        unlink(fileOf(name)).then(() => true),
        'ENOENT',
      )) === true,
    usedAt: async (name) => (await orUndefined(stat(fileOf(name)), 'ENOENT'))?.mtime,
    // A mounted secret can only be read.
    markUsed: (name, at) => utimes(fileOf(name), at, at),
  };
}

async function orUndefined<T>(result: Promise<T>, code: string): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}
