import {
  type Metadata,
  Metadata as EmptyMetadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import * as z from 'zod';
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

/** TASK_STATE_INPUT_REQUIRED of the v0.3 protocol buffer. */
const legacyInputRequired = 6;
const inputRequired = z.object({
  payload: z.object({
    $case: z.literal('statusUpdate'),
    value: z.looseObject({ status: z.looseObject({ state: z.literal(legacyInputRequired) }) }),
  }),
});

/** v0.3: a send ends where input is required, and its last event says so. */
export const finalInterceptor: ServerInterceptor = (method, call) =>
  new ServerInterceptingCall(call, {
    sendMessage(message, send) {
      const isLegacySend = method.path === '/a2a.v1.A2AService/SendStreamingMessage';
      const update = isLegacySend ? inputRequired.safeParse(message).data : undefined;
      send(update ? { payload: { ...update.payload, value: { ...update.payload.value, final: true } } } : message);
    },
  });
