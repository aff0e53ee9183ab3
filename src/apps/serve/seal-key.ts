import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Seal, sealKeyBytes, sealWith } from '../../server/a2a/push/seal.js';
import { createOnce } from '../../util/create-once.js';
import { UsageError } from '../../util/usage-error.js';

/** Seals with the key in this file. Without a file, uses a key in the state folder, which is created on first use. */
export function sealIn(stateDir: string, file: string | undefined): Seal {
  if (file !== undefined) return sealWith(readGiven(file));
  let made: Seal | undefined;
  const seal = (): Seal => (made ??= sealWith(ownKey(stateDir)));
  return { close: (text, place) => seal().close(text, place), open: (sealed, place) => seal().open(sealed, place) };
}

function readGiven(file: string): Buffer {
  const how = `create one with: openssl rand -base64 ${sealKeyBytes} > seal.key`;
  // Without the name: it may be the key itself, by mistake.
  if (!existsSync(file)) throw new UsageError(`--seal-key takes a file, and there is no such file; ${how}`);
  try {
    return keyOf(file, readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`--seal-key: ${file} does not contain a ${sealKeyBytes}-byte key in base64; ${how}`, {
      cause,
    });
  }
}

function ownKey(stateDir: string): Buffer {
  const file = join(stateDir, 'seal.key');
  return keyOf(
    file,
    createOnce(file, () => `${randomBytes(sealKeyBytes).toString('base64')}\n`),
  );
}

function keyOf(file: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== sealKeyBytes) throw new Error(`${file} has ${key.length} bytes instead of ${sealKeyBytes}`);
  return key;
}
