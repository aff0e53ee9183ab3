import { announce, type Entry } from '../../discovery/discovery.js';
import type { OpenServer } from '../../server/open-server.js';

/** Lets other programs of this user find the server, also after its certificate was replaced. Returns the undo. */
export function announceServer(
  stateDir: string,
  { port, ownUrl: url, tls }: OpenServer,
  facts: Pick<Entry, 'sessionId' | 'workspace' | 'token'>,
): () => void {
  const startedAt = new Date().toISOString();
  const write = (): (() => void) =>
    announce(stateDir, {
      ...facts,
      port,
      url,
      pid: process.pid,
      startedAt,
      ...(tls && { certificate: tls.certificate }),
    });
  const withdraw = write();
  const stop = tls?.onChange(write);
  return () => {
    stop?.();
    withdraw();
  };
}
