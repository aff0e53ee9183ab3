import { readFileSync } from 'node:fs';
import { CosessionError } from '../../client/transport/cosession-error.js';
import type { Fetch } from '../../client/transport/fetch.js';
import { pinnedFetch } from '../../client/transport/pinned.js';
import { UsageError } from '../../util/usage-error.js';
import type { Io } from '../view/io.js';

/** The certificate (PEM) of a server that `cosession ls` does not list, if the user names its file. */
export function namedCertificate({ env }: Pick<Io, 'env'>): string | undefined {
  const file = env['COSESSION_CERTIFICATE'];
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`COSESSION_CERTIFICATE: ${file} cannot be read`);
  }
}

export function fetchWith(certificate: string | undefined): Fetch {
  return certificate === undefined ? fetch : pinnedFetch(certificate);
}

/** For a connection that failed: says what to do if only the certificate is not trusted. */
export function withTrustAdvice(error: unknown): unknown {
  const reasons = [error, error instanceof Error ? error.cause : undefined];
  const isUntrusted = reasons.some((reason) => reason instanceof Error && untrusted.test(reason.message));
  if (!isUntrusted || !(error instanceof Error)) return error;
  const advice = 'if it is your own, set COSESSION_CERTIFICATE to the file of its certificate (docs/sharing.md)';
  return new CosessionError('cannot-connect', `${error.message}: the certificate is not trusted; ${advice}`);
}

const untrusted = /self-signed certificate|unable to (?:verify|get) .*(?:certificate|issuer)/i;
