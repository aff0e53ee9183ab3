import { readFile, stat } from 'node:fs/promises';
import type { ServerLog } from '../../domain/server-log.js';
import { selfSignedIn } from './self-signed.js';
import { checkFiles, type TlsFiles, type TlsIdentity } from './tls-identity.js';

/** The TLS flags of an endpoint. Each file is named by its path, because it is read again when it changes. */
export type TlsFlags = {
  readonly tls?: 'self-signed';
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsClientCa?: string;
};

export type TlsOptions = TlsFlags & {
  readonly stateDir?: string;
  readonly log: ServerLog;
  /** How often to check whether the files have changed. */
  readonly everyMs?: number;
};

/** Files can be renamed, linked or mounted again. Only checking the path notices every kind of replacement. */
const lookEveryMs = 2000;

/** Undefined if the flags ask for no TLS. Rejects if the files cannot be used. */
export async function openTls(options: TlsOptions): Promise<TlsIdentity | undefined> {
  const read = readerOf(options);
  return read && follow(read, options);
}

async function follow(read: () => Promise<TlsFiles>, options: TlsOptions): Promise<TlsIdentity> {
  const { log, everyMs = lookEveryMs } = options;
  const paths = [options.tlsCert, options.tlsKey, options.tlsClientCa].filter((path) => path !== undefined);
  const listeners = new Set<() => void>();
  let seen = await versionsOf(paths);
  let files = await read();
  let certificate = checkFiles(files);

  async function look(): Promise<void> {
    const now = await versionsOf(paths);
    if (now === seen) return;
    seen = now;
    try {
      const next = await read();
      certificate = checkFiles(next);
      files = next;
      for (const listener of listeners) listener();
      log.info('new TLS certificate', { fingerprint: certificate.fingerprint256, validTo: certificate.validTo });
    } catch (cause) {
      log.error('the new TLS files cannot be used; the server keeps the old ones', { cause });
    }
  }

  const timer = paths.length === 0 ? undefined : setInterval(() => void look(), everyMs).unref();
  return {
    get files() {
      return files;
    },
    get certificate() {
      return certificate.toString();
    },
    get fingerprint() {
      return certificate.fingerprint256;
    },
    asksForCertificates: options.tlsClientCa !== undefined,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}

function readerOf({ tls, tlsCert, tlsKey, tlsClientCa, stateDir }: TlsOptions): (() => Promise<TlsFiles>) | undefined {
  const withCa = async (pair: TlsFiles): Promise<TlsFiles> =>
    tlsClientCa === undefined ? pair : { ...pair, clientCa: await textOf(tlsClientCa, '--tls-client-ca') };
  if (tlsCert !== undefined && tlsKey !== undefined)
    return async () => withCa({ cert: await textOf(tlsCert, '--tls-cert'), key: await textOf(tlsKey, '--tls-key') });
  if (tls === undefined) return undefined;
  if (stateDir === undefined) throw new Error('--tls self-signed needs a state folder to keep its key in');
  const pem = selfSignedIn(stateDir);
  return () => withCa({ cert: pem, key: pem });
}

async function textOf(path: string, flag: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${flag}: ${path} cannot be read`, { cause });
  });
}

/** Changes whenever one of the files does. */
async function versionsOf(paths: readonly string[]): Promise<string> {
  const versions = paths.map(async (path) => {
    const found = await stat(path).catch(() => undefined);
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
  });
  return (await Promise.all(versions)).join('\n');
}
