import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../../util/self-signed-certificate.js';

const dayMs = 24 * 3600 * 1000;
/** Apple's systems accept no certificate that is valid for longer than 825 days. */
const validDays = 820;
/** A certificate that ends within this time is replaced at the next start. */
const renewDays = 30;

/**
 * The certificate and key of `--tls self-signed` as one PEM text. They are created on first use and kept, so that people
 * compare the fingerprint once.
 */
export function selfSignedIn(stateDir: string, now = Date.now()): string {
  const folder = join(stateDir, 'tls');
  const file = join(folder, 'self-signed.pem');
  const kept = readValid(file, now);
  if (kept !== undefined) return kept.pem;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.self-signed-${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(draft, create(now), { mode: 0o600 });
    // If several servers start at once, only one creates it: linking fails if the name is taken.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (!readValid(file, now)) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}

function readValid(file: string, now: number): { readonly pem: string } | undefined {
  try {
    const pem = readFileSync(file, 'utf8');
    const { validTo } = new X509Certificate(pem);
    return Date.parse(validTo) - now > renewDays * dayMs ? { pem } : undefined;
  } catch {
    return undefined;
  }
}

function create(now: number): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = selfSignedCertificate({
    publicKey,
    privateKey,
    commonName: 'Cosession',
    names: [...new Set(['localhost', hostname().toLowerCase()].filter(isDnsName)), '127.0.0.1', '::1'],
    // A day earlier, because clocks differ.
    from: new Date(now - dayMs),
    until: new Date(now + validDays * dayMs),
  });
  return `${certificate}${privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}`;
}

/** A machine may have any name; a certificate cannot. */
function isDnsName(name: string): boolean {
  return /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(name);
}
