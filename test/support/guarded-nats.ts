import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { makeAuthority } from './certificates.js';
import { type NatsServer, startNats } from './nats.js';
import { temporaryFolder } from './temporary-folder.js';

export type GuardedNats = NatsServer & {
  /** What `--cluster` gets. */
  readonly bus: string;
  /** The flags of a server that may use it. */
  readonly args: readonly string[];
};

/** A NATS server with TLS that admits one nkey, with the permissions that docs/cluster.md lists and no others. */
export async function startGuardedNats(): Promise<GuardedNats> {
  const authority = makeAuthority();
  const { certFile, keyFile } = authority.issue('/CN=nats');
  const user = nkeys.createUser();
  const creds = join(temporaryFolder(), 'nats.nk');
  writeFileSync(creds, user.getSeed());
  const allow = JSON.stringify(documentedSubjects());
  const nats = await startNats(
    `tls { cert_file: "${certFile}", key_file: "${keyFile}", timeout: 60 }
     authorization { timeout: 60, users: [ { nkey: ${user.getPublicKey()}, permissions: { publish: ${allow}, subscribe: ${allow} } } ] }`,
  );
  const args = ['--cluster-creds', creds, '--cluster-ca', authority.caFile];
  return { ...nats, bus: `tls://localhost:${nats.port}`, args };
}

function documentedSubjects(): string[] {
  const rows = readFileSync('docs/cluster.md', 'utf8').match(/^\| `[^|]+\| yes +\| yes +\|$/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, subject = '']) => subject));
}
