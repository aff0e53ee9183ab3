import { networkInterfaces } from 'node:os';
import type { Devices } from '../../auth/devices.js';
import type { Authenticator } from '../../auth/authenticator.js';
import type { MakeLimiter } from '../../auth/shared-limits.js';
import { clientCertificates } from '../../auth/client-certificate.js';
import { AppError } from '../../domain/errors.js';
import { hostInUrl } from '../../util/net/host-in-url.js';
import { type AddressOf, addressReader, isLoopback } from '../door/address.js';
import { credentialGuard } from './admission.js';
import { CredentialCheck, type OnRefused, type RateLimits } from './credential-check.js';
import { all, type Guard, type QuickGuard } from './guard.js';
import { allowedHosts, hostGuard } from './host.js';
import { jsonOnlyGuard } from './json-only.js';
import { Rechecks } from './rechecks.js';
import { originGuard } from './origin.js';
import { httpVisitor } from './visitor.js';
import { defined } from '../../util/defined.js';

/** How callers are identified and how often they may send requests. */
export type AuthOptions = {
  readonly authenticators?: readonly Authenticator[];
  /** If undefined, nothing is limited. */
  readonly limits?: RateLimits;
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
};

export type AccessOptions = {
  readonly token: string;
  readonly requireToken: boolean;
  /** The address we listen on. */
  readonly host: string;
  /** Other host names that clients use to reach this server. */
  readonly allowHosts?: readonly string[];
  /** The address in the agent card. */
  readonly publicUrl?: string;
  readonly auth?: AuthOptions;
  /** Everybody but the owner needs a client certificate. */
  readonly needsCertificate: boolean;
  readonly devices?: Devices;
  /** Whether this system shows which user a connection belongs to. */
  readonly knowsUsers: boolean;
  /** Browsers get no page here. */
  readonly noPage?: boolean;
  readonly onRefused?: OnRefused;
  /** For a server that shares its limits with others. */
  readonly makeLimiter?: MakeLimiter;
};

/** Everything that stands between a connection and the routes, the same for every transport. */
export type Access = {
  readonly credentialCheck: CredentialCheck;
  readonly rechecks: Rechecks;
  readonly addressOf: AddressOf;
  readonly needsToken: boolean;
  /** The ways to authenticate besides the owner's token. */
  readonly authenticators: readonly Authenticator[];
  /** Why a token is needed although the options do not require one, and how to get one. */
  readonly advice?: string;
  /** Guards for requests and for upgrades to a WebSocket. */
  guards(port: number): { readonly requests: Guard; readonly upgrades: Guard };
};

export function openAccess(options: AccessOptions): Access {
  const { token, requireToken, host, allowHosts = [], publicUrl, auth = {}, noPage = false } = options;
  const { knowsUsers, needsCertificate, devices, onRefused, makeLimiter } = options;
  const { authenticators: given = [], limits, trustedProxies = [] } = auth;
  const authenticators = needsCertificate ? [...given, clientCertificates] : given;
  const names = publicUrl === undefined ? allowHosts : [...allowHosts, new URL(publicUrl).host];
  // A server that others can reach never identifies a caller by the connection alone.
  const isClosed = requireToken || !isLoopback(host) || names.length > 0;
  const advice = isClosed || knowsUsers ? undefined : noUsers(authenticators.length > 0);
  const needsToken = isClosed || !knowsUsers;
  const credentialCheck = new CredentialCheck({
    token,
    requireToken: needsToken,
    authenticators,
    ...(limits ? { limits } : {}),
    needsCertificate,
    ...defined({ advice, devices, onRefused, makeLimiter }),
  });
  const rechecks = new Rechecks(credentialCheck);
  const addressOf = addressReader(trustedProxies);
  return {
    credentialCheck,
    rechecks,
    addressOf,
    needsToken,
    authenticators,
    ...defined({ advice }),
    guards(port) {
      const hosts = [...ownNames(host).map((name) => `${name}:${port}`), ...allowedHosts(names, port)];
      const fromHere = [hostGuard(hosts), originGuard(hosts, !noPage)].map((guard) =>
        watched(guard, addressOf, onRefused),
      );
      const admit = credentialGuard({ credentialCheck, rechecks, addressOf });
      return { requests: all([...fromHere, jsonOnlyGuard, admit]), upgrades: all([...fromHere, admit]) };
    },
  };
}

function watched(guard: QuickGuard, addressOf: AddressOf, onRefused: OnRefused | undefined): QuickGuard {
  if (!onRefused) return guard;
  return (request) => {
    try {
      guard(request);
    } catch (error) {
      if (error instanceof AppError) onRefused(error, { address: httpVisitor(request, addressOf).address });
      throw error;
    }
  };
}

/** Anyone who can prompt a coding agent can run code on its host. This must not be opened to a network by accident. */
export function checkBind(host: string, hasCredentials: boolean): void {
  if (isLoopback(host) || hasCredentials) return;
  throw new Error(
    `${host} can be reached from other machines, but no authentication is configured: create a token with ` +
      '`cosession token create --name <name> --scope prompt,approve`, configure OpenID Connect, or listen on 127.0.0.1',
  );
}

function noUsers(hasTokens: boolean): string {
  const how = hasTokens ? 'makes with `cosession token create`' : 'shows with `cosession ls --json`';
  return `this system does not tell which user a connection belongs to: clients need a token, which its user ${how}`;
}

/** A rebound name is never an address, so `Host` may be any address of this machine if we listen on all of them. */
function ownNames(host: string): string[] {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  if (isLoopback(host)) return loopback;
  if (host !== '0.0.0.0' && host !== '::') return [...loopback, hostInUrl(host.toLowerCase())];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [...loopback, ...addresses.map(({ address }) => hostInUrl(address))];
}
