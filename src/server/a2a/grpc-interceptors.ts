import {
  type Metadata,
  Metadata as EmptyMetadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { RecentMap } from '../../util/recent-map.js';
import { isSameUser } from '../guards/same-user.js';
import { bearerOf, isSameToken } from '../guards/token.js';
import { withoutPatch } from './call-context.js';

export type GrpcGuard = {
  readonly token: string;
  readonly requireToken: boolean;
  /** Ours; known once the server is bound. */
  readonly port: number;
};

/** The token or the same user, as on HTTP; and one spelling of the version for all that follows. */
export function guardInterceptor(guard: GrpcGuard): ServerInterceptor {
  const verdicts = new RecentMap<string, Promise<boolean>>(1000);

  async function mayCall(metadata: Metadata, peer: string): Promise<boolean> {
    const given = bearerOf(metadata.get('authorization')[0]?.toString());
    if (given !== undefined) return isSameToken(given, guard.token);
    if (guard.requireToken) return false;
    const ends = { remotePort: Number(peer.split(':').at(-1)), localPort: guard.port };
    const verdict = verdicts.get(peer) ?? isSameUser(ends);
    verdicts.set(peer, verdict);
    return verdict;
  }

  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (begin) =>
        begin({
          onReceiveMetadata(metadata, pass) {
            const refuse = { code: status.UNAUTHENTICATED, details: refusal, metadata: new EmptyMetadata() };
            void mayCall(metadata, call.getPeer()).then((may) =>
              may ? pass(withVersion(metadata)) : call.sendStatus(refuse),
            );
          },
        }),
    });
}

const refusal = 'send the token of this session as "authorization: Bearer …"';

function withVersion(metadata: Metadata): Metadata {
  const version = metadata.get('a2a-version')[0];
  if (version !== undefined) metadata.set('a2a-version', withoutPatch(String(version)));
  return metadata;
}

/** v0.3 has another name for the header of extensions. */
export const legacyHeaderInterceptor: ServerInterceptor = (method, call) =>
  new ServerInterceptingCall(call, {
    sendMetadata(metadata, send) {
      const [extensions] = metadata.get('a2a-extensions');
      if (extensions !== undefined && method.path.startsWith('/a2a.v1.')) metadata.set('x-a2a-extensions', extensions);
      send(metadata);
    },
  });

/** Unsent bytes of one call up to which the next message need not wait. */
const inFlightBytes = 64 * 1024;

/**
 * grpc-js sends the next message when the one before has left the process. Told that it has left while little waits, it
 * hands over many at a time, and HTTP/2 writes them together.
 */
export const pipelineInterceptor: ServerInterceptor = (_method, call) => new PipelinedCall(call);

class PipelinedCall extends ServerInterceptingCall {
  #waiting = 0;
  #next: (() => void) | undefined;

  override sendMessage(message: unknown, next: () => void): void {
    const size = Buffer.isBuffer(message) ? message.length : inFlightBytes;
    this.#waiting += size;
    super.sendMessage(message, () => {
      this.#waiting -= size;
      const waiter = this.#next;
      this.#next = undefined;
      waiter?.();
    });
    if (this.#waiting < inFlightBytes) next();
    else this.#next = next;
  }
}
