import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce } from '../../util/create-once.js';
import type { Seal } from '../a2a/push/seal.js';

/** Storage for what alerts must remember across restarts: small named texts. */
export type AlertPlace = {
  names(): Promise<string[]>;
  /** Undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  put(name: string, text: string): Promise<void>;
  /** Creates it unless it exists. If several callers do so at once, all get the same text. */
  once(name: string, create: () => string): Promise<string>;
  remove(name: string): Promise<void>;
};

/** Small files that only our user can read. Several servers may use the folder. */
export function alertFolder(folder: string): AlertPlace {
  return {
    names: () => readdir(folder).catch(() => []),
    read: (name) => readFile(join(folder, name), 'utf8').catch(() => undefined),
    async put(name, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${randomBytes(8).toString('hex')}`);
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, join(folder, name));
    },
    once: async (name, create) => createOnce(join(folder, name), create),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/** For a place that others can read: they see only the names. */
export function sealedAlerts(place: AlertPlace, seal: Seal): AlertPlace {
  const sealedFor = (name: string): string => `alerts ${name}`;
  return {
    ...place,
    async read(name) {
      const sealed = await place.read(name);
      return sealed === undefined ? undefined : seal.open(sealed, sealedFor(name));
    },
    put: (name, text) => place.put(name, seal.close(text, sealedFor(name))),
    async once(name, create) {
      const text = seal.open(await place.once(name, () => seal.close(create(), sealedFor(name))), sealedFor(name));
      if (text === undefined) throw new Error(`"${name}" in the store was sealed with another --seal-key`);
      return text;
    },
  };
}
