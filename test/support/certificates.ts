import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

export type Pair = { readonly certFile: string; readonly keyFile: string; readonly cert: string; readonly key: string };

export type Authority = {
  readonly caFile: string;
  readonly ca: string;
  /** `subject` as openssl writes it: `/CN=ada/OU=cosession:prompt`. */
  issue(subject: string, names?: readonly string[], days?: number): Pair;
};

/** A certificate authority of our own, made by openssl. */
export function makeAuthority(name = 'Test CA'): Authority {
  const folder = temporaryFolder();
  const path = (file: string): string => join(folder, file);
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', path('ca.key'), '-out', path('ca.pem'), '-subj', `/CN=${name}`);
  let count = 0;
  return {
    caFile: path('ca.pem'),
    ca: readFileSync(path('ca.pem'), 'utf8'),
    issue(subject, names = ['DNS:localhost', 'IP:127.0.0.1'], days = 2) {
      const id = String(++count);
      const [certFile, keyFile] = [path(`${id}.pem`), path(`${id}.key`)];
      writeFileSync(path('ext'), `subjectAltName=${names.join(',')}\n`);
      openssl('req', ...newKey, '-keyout', keyFile, '-out', path('csr'), '-subj', subject);
      const signed = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial', '-extfile', path('ext')];
      openssl('x509', '-req', '-in', path('csr'), ...signed, '-days', String(days), '-out', certFile);
      return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    },
  };
}
