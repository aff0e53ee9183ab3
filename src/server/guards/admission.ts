import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../auth/principal.js';
import { peerOf } from '../door/door.js';
import type { AddressOf } from '../door/address.js';
import { requestFacts } from './request-facts.js';
import type { CredentialCheck, OnAllowance, Visitor } from './credential-check.js';
import type { Guard } from './guard.js';
import type { Rechecks } from './rechecks.js';
import { httpVisitor } from './visitor.js';
import { defined } from '../../util/defined.js';

type Admission = { readonly principal: Principal; readonly visitor: Visitor };

/** Keyed by what carries the call: an HTTP request, or the metadata of a gRPC call. */
const admissions = new WeakMap<object, Admission>();

export function remember(carrier: object, admission: Admission): void {
  admissions.set(carrier, admission);
}

export function admissionOf(carrier: object): Admission {
  const admission = admissions.get(carrier);
  // Never happens, because everything is behind the credential check. If it did, an unknown caller must not pass as a known one.
  if (!admission) throw new Error('the request has not passed the credential check');
  return admission;
}

export function principalOf(carrier: object): Principal {
  return admissionOf(carrier).principal;
}

/** For logs: the principal that sent the request, if known. */
export function knownPrincipal(carrier: object): { readonly principal?: string } {
  const principal = admissions.get(carrier)?.principal;
  return principal && principal.via !== 'nothing' ? { principal: principal.id } : {};
}

export type AdmissionOptions = {
  readonly credentialCheck: CredentialCheck;
  readonly rechecks: Rechecks;
  readonly addressOf: AddressOf;
};

/** Lets a request through the credential check. A response still being sent when its credentials expire is cut off. */
export function credentialGuard({ credentialCheck, rechecks, addressOf }: AdmissionOptions): Guard {
  return async (request: IncomingMessage, response?: ServerResponse) => {
    const visitor = httpVisitor(request, addressOf);
    const admitted = await credentialCheck.admit(visitor, response && rateHeaders(response));
    const principal = { ...admitted, ...defined({ request: requestFacts(request) }) };
    remember(request, { principal, visitor });
    // The connection of a stranger, or one too many, is short-lived. Ending it after the response is a clean shutdown.
    const endAfterwards = (): unknown => response?.setHeader('connection', 'close');
    if (principal.via === 'nothing') endAfterwards();
    else trustOr(endAfterwards, () => peerOf(request.socket).trust(principal));
    if (response)
      response.once(
        'close',
        rechecks.hold(principal, visitor, () => response.destroy()),
      );
  };
}

function trustOr(giveUp: () => unknown, trust: () => void): void {
  try {
    trust();
  } catch (error) {
    giveUp();
    throw error;
  }
}

/**
 * draft-ietf-httpapi-ratelimit-headers-10: one item per limit, `q` requests in `w` seconds, `r` of them left, the next one
 * after `t` seconds.
 */
function rateHeaders(response: ServerResponse): OnAllowance {
  return (name, { burst, perSecond }, { remaining, retryAfter }) => {
    const window = Math.ceil(burst / perSecond);
    response.appendHeader('ratelimit-policy', `"${name}";q=${burst};w=${window}`);
    response.appendHeader('ratelimit', `"${name}";r=${remaining};t=${retryAfter}`);
  };
}
