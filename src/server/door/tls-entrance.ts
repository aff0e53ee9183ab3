import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { patienceMs } from '../http/limits.js';
import type { TlsIdentity } from '../tls/tls-identity.js';

/** What a port speaks once it is encrypted. */
export type TlsProtocol = 'http/1.1' | 'h2';

export type TlsEntrance = {
  /** Takes a connection as it came. `secure` is called with its encrypted form after the handshake. */
  enter(raw: Socket): void;
  close(): void;
};

/** Encrypts connections that a door has let in. So who owns a connection is still decided before a byte of it is read. */
export function tlsEntrance(
  identity: TlsIdentity,
  protocol: TlsProtocol,
  secure: (socket: TLSSocket, raw: Socket) => void,
): TlsEntrance {
  /** Connections during their handshake, by their ends. Two connections cannot have the same ends at once. */
  const arriving = new Map<string, Socket>();
  const server = createServer({
    ...contextOf(identity),
    ALPNProtocols: [protocol],
    handshakeTimeout: patienceMs,
    requestCert: identity.asksForCertificates,
    // A caller without a certificate may still read what is public. The credential check decides about everything else.
    rejectUnauthorized: false,
  });
  const forget = identity.onChange(() => server.setSecureContext(contextOf(identity)));
  // After a timeout of the handshake, Node leaves the socket open.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('secureConnection', (socket) => {
    const raw = arriving.get(endsOf(socket));
    if (!raw) return void socket.destroy();
    arriving.delete(endsOf(raw));
    return secure(socket, raw);
  });
  return {
    enter(raw) {
      const ends = endsOf(raw);
      arriving.set(ends, raw);
      raw.once('close', () => arriving.get(ends) === raw && arriving.delete(ends));
      // Errors of the encrypted form are handled by whoever gets it; this form has no other listener.
      raw.on('error', () => {});
      server.emit('connection', raw);
    },
    close() {
      forget();
      for (const raw of arriving.values()) raw.destroy();
    },
  };
}

function contextOf({ files }: TlsIdentity): SecureContextOptions {
  const { cert, key, clientCa } = files;
  if (clientCa === undefined) return { cert, key };
  // A resumed session would be accepted by what an earlier list of authorities said.
  return { cert, key, ca: clientCa, secureOptions: constants.SSL_OP_NO_TICKET };
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
