import type { Socket } from 'node:net';
import {
  type Metadata,
  Metadata as EmptyMetadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { AppError, toAppError } from '../../../domain/errors.js';
import type { Access } from '../../guards/access.js';
import { peerOf } from '../../door/door.js';
import { errorHeaders } from '../../http/error-headers.js';
import { errorTable } from '../../http/error-table.js';
import { remember } from '../../guards/admission.js';
import type { Visitor } from '../../guards/credential-check.js';
import { needForMethod } from '../../guards/scopes.js';
import { bearerOf } from '../../guards/token.js';
import { isDirect } from '../../guards/visitor.js';
import { withoutPatch } from '../calls/call-context.js';
import { Frames, sendFrames } from './frames.js';
import { defined } from '../../../util/defined.js';

/** Applies the same credential check and scopes as HTTP to the calls of one connection, and normalises the version header. */
export function guardInterceptor({ credentialCheck, rechecks, addressOf }: Access, socket: Socket): ServerInterceptor {
  const peer = peerOf(socket);
  const { remoteAddress = '' } = socket;

  function visitorOf(metadata: Metadata): Visitor {
    const header = (name: string): string | undefined => metadata.get(name)[0]?.toString();
    const token = bearerOf(header('authorization'));
    return {
      ...defined({ token, certificate: peer.certificate }),
      header,
      address: addressOf(remoteAddress, header('x-forwarded-for')),
      isSameUser: isDirect(remoteAddress, Object.keys(metadata.getMap())) && peer.isSameUser,
      // HTTP/2 has no `Host`, and clients may set its substitute to anything.
      isForwarded: false,
    };
  }

  return ({ path }, call) => {
    let release = (): void => {};
    return new ServerInterceptingCall(call, {
      start: (begin) =>
        begin({
          onReceiveMetadata(metadata, pass) {
            const visitor = visitorOf(metadata);
            const admit = async (): Promise<void> => {
              const principal = await credentialCheck.admit(visitor);
              if (principal.via !== 'nothing') peer.trust(principal);
              needForMethod(principal, path.split('/').at(-1) ?? '');
              remember(metadata, { principal, visitor });
              release = rechecks.hold(principal, visitor, () => call.sendStatus(refusal(ended)));
              pass(withVersion(metadata));
            };
            admit().catch((error: unknown) => call.sendStatus(refusal(toAppError(error))));
          },
          onReceiveMessage(message, pass) {
            if (message instanceof AppError) call.sendStatus(refusal(message));
            else pass(message);
          },
          onCancel: () => release(),
        }),
      sendStatus(result, send) {
        release();
        send(result);
      },
    });
  };
}

const ended = new AppError('bad-token', 'the token is no longer valid');

const statuses: Readonly<Record<number, status>> = {
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  413: status.RESOURCE_EXHAUSTED,
  429: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
};

function refusal(error: AppError): { code: status; details: string; metadata: Metadata } {
  const metadata = new EmptyMetadata();
  for (const [name, value] of Object.entries(errorHeaders(error))) metadata.set(name.toLowerCase(), value);
  return { code: statuses[errorTable[error.code].http] ?? status.INTERNAL, details: error.message, metadata };
}

function withVersion(metadata: Metadata): Metadata {
  const version = metadata.get('a2a-version')[0];
  if (version !== undefined) metadata.set('a2a-version', withoutPatch(String(version)));
  return metadata;
}

/** v0.3 has another name for the extensions header. */
export const legacyHeaderInterceptor: ServerInterceptor = (method, call) =>
  new ServerInterceptingCall(call, {
    sendMetadata(metadata, send) {
      const [extensions] = metadata.get('a2a-extensions');
      if (extensions !== undefined && method.path.startsWith('/a2a.v1.')) metadata.set('x-a2a-extensions', extensions);
      send(metadata);
    },
  });

/** With fewer unsent bytes than this in one call, the next message need not wait. */
const inFlightBytes = 64 * 1024;

/**
 * grpc-js sends the next message only after the previous one has left the process. While little is waiting, we report that
 * immediately. It then hands over many messages at a time, and HTTP/2 writes them together.
 */
export const pipelineInterceptor: ServerInterceptor = (_method, call) => new PipelinedCall(call);

class PipelinedCall extends ServerInterceptingCall {
  #waiting = 0;
  #next: (() => void) | undefined;

  constructor(call: ServerInterceptingCallInterface) {
    super(call);
    sendFrames(call);
  }

  override sendMessage(message: unknown, next: () => void): void {
    const size = message instanceof Frames ? message.bytes.length : inFlightBytes;
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
