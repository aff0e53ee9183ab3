import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createOnce } from '../../util/create-once.js';
import { selfSignedCertificate } from '../../util/net/self-signed-certificate.js';

const dayMs = 24 * 3600 * 1000;
/** Apple's systems accept no certificate that is valid for longer than 825 days. */
const validDays = 820;
/** A certificate that ends within this time is replaced at the next start. */
const renewDays = 30;

/**
 * The certificate and key of `--tls self-signed` as one PEM text. They are created on first use and kept, so people have
 * to compare the fingerprint only once.
 */
export function selfSignedIn(stateDir: string, now = Date.now()): string {
  const file = join(stateDir, 'tls', 'self-signed.pem');
  const kept = createOnce(file, () => create(now));
  if (isValid(kept, now)) return kept;
  rmSync(file, { force: true });
  return createOnce(file, () => create(now));
}

function isValid(pem: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) - now > renewDays * dayMs;
  } catch {
    return false;
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
