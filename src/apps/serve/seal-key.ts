import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Seal, sealKeyBytes, sealWith } from '../../server/a2a/push/seal.js';
import { UsageError } from '../../util/usage-error.js';

/** Seals with the key in this file. Without a file, uses a key in the state folder, which is created on first use. */
export function sealIn(stateDir: string, file: string | undefined): Seal {
  if (file !== undefined) return sealWith(readGiven(file));
  let made: Seal | undefined;
  const seal = (): Seal => (made ??= sealWith(ownKey(stateDir)));
  return { close: (text, place) => seal().close(text, place), open: (sealed, place) => seal().open(sealed, place) };
}

function readGiven(file: string): Buffer {
  try {
    return keyIn(file);
  } catch (cause) {
    const how = `create one with: openssl rand -base64 ${sealKeyBytes}`;
    throw new UsageError(`--seal-key: ${file} does not contain a ${sealKeyBytes}-byte key in base64; ${how}`, {
      cause,
    });
  }
}

/** If several servers start at once, only one creates the key: it writes a complete draft, then links it if the name is free. */
function ownKey(stateDir: string): Buffer {
  const file = join(stateDir, 'seal.key');
  const draft = join(stateDir, `.seal-${randomBytes(8).toString('hex')}`);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(draft, `${randomBytes(sealKeyBytes).toString('base64')}\n`, { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return keyIn(file);
}

function keyIn(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== sealKeyBytes) throw new Error(`${file} has ${key.length} bytes instead of ${sealKeyBytes}`);
  return key;
}
