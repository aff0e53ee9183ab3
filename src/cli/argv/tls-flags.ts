import { UsageError } from '../../util/usage-error.js';
import type { Flags, OptionsOf } from './flag.js';

export const tlsFlags = {
  tlsCert: {
    name: '--tls-cert',
    type: 'path',
    value: 'file',
    help: 'serve https and wss with this certificate and its chain (PEM); read again when the file changes',
  },
  tlsKey: { name: '--tls-key', type: 'path', value: 'file', help: 'private key of --tls-cert (PEM)' },
  tls: {
    name: '--tls',
    type: 'text',
    value: 'kind',
    choices: ['self-signed'],
    help: 'self-signed: serve https and wss with a certificate that Cosession makes; its fingerprint is shown at the start',
  },
  tlsClientCa: {
    name: '--tls-client-ca',
    type: 'path',
    value: 'file',
    help: 'require client certificates of these authorities (PEM): see docs/auth.md',
  },
} as const satisfies Flags;

/** Throws if the TLS flags do not belong together. */
export function checkTlsFlags({ tls, tlsCert, tlsKey, tlsClientCa }: OptionsOf<typeof tlsFlags>): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError('--tls-cert and --tls-key belong together: give both');
  if (tls !== undefined && tlsCert !== undefined)
    throw new UsageError('--tls self-signed makes its own certificate: leave out --tls-cert and --tls-key');
  if (tlsClientCa !== undefined && tls === undefined && tlsCert === undefined)
    throw new UsageError('--tls-client-ca needs TLS: add --tls-cert and --tls-key, or --tls self-signed');
}
