import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { makeAuthority } from './certificates.js';
import { type NatsServer, startNats } from './nats.js';
import { swap } from './swap.js';
import { temporaryFolder } from './temporary-folder.js';

export type GuardedNats = NatsServer & {
  /** What `--cluster` gets. */
  readonly bus: string;
  /** The flags of a server that may use it. */
  readonly args: readonly string[];
};

/** A NATS server with TLS that admits one nkey, with the permissions that it needs and no others: as deploy/cluster has it. */
export async function startGuardedNats(): Promise<GuardedNats> {
  const authority = makeAuthority();
  const { certFile, keyFile } = authority.issue('/CN=nats');
  const user = nkeys.createUser();
  const creds = join(temporaryFolder(), 'nats.nk');
  writeFileSync(creds, user.getSeed());
  const nats = await startNats(
    swap(readFileSync('deploy/cluster/nats.conf', 'utf8'), {
      'listen: 0.0.0.0:4222\n': '',
      '/run/secrets/nats.pem': `"${certFile}"`,
      '/run/secrets/nats.key': `"${keyFile}"`,
      $NATS_NKEY: user.getPublicKey(),
      // A busy machine may be slow to shake hands.
      'tls {': 'tls { timeout: 60',
      'authorization {': 'authorization { timeout: 60',
    }),
  );
  const args = ['--cluster-creds', creds, '--cluster-ca', authority.caFile];
  return { ...nats, bus: `tls://localhost:${nats.port}`, args };
}
