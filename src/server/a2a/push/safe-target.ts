import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { AppError } from '../../../domain/errors.js';
import { type UrlPrefix, urlPrefix } from '../../../util/net/url-prefix.js';

/** A URL that may be called, with its resolved address. The call uses that address, so it goes where the check looked. */
export type SafeTarget = { readonly url: URL; readonly address: string; readonly family: number };

/** Checks where we are asked to send something. Allows public hosts, and anything at or below an explicitly allowed URL. */
export class TargetCheck {
  readonly #allowed: readonly UrlPrefix[];
  readonly #flag: string;

  /** `*` allows every URL. `flag` is where exceptions are allowed. */
  constructor(allowed: readonly string[], flag: '--push-allow' | '--alert-allow' = '--push-allow') {
    this.#allowed = allowed.map((prefix) => (prefix === '*' ? () => true : urlPrefix(prefix)));
    this.#flag = flag;
  }

  /** Called when a webhook is registered and again before each call, because the name may resolve differently by then. */
  async resolve(text: string): Promise<SafeTarget> {
    const url = parseUrl(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveHost(host);
    const isAllowed = this.#allowed.some((isBelow) => isBelow(url));
    const target = addresses.find(({ address }) => isAllowed || isPublic(address));
    if (!target || (!isAllowed && addresses.some(({ address }) => !isPublic(address)))) {
      throw new AppError(
        'bad-request',
        `sending to ${url.host} is not allowed: it is not a public address (see ${this.#flag})`,
      );
    }
    return { url, ...target };
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '')
    return url;
  throw new AppError('bad-request', 'a webhook needs an http or https address without a password in it');
}

async function resolveHost(host: string): Promise<{ address: string; family: number }[]> {
  try {
    return await lookup(host, { all: true });
  } catch (cause) {
    throw new AppError('bad-request', `the webhook's host ${host} cannot be resolved`, { cause });
  }
}

const reserved = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  reserved.addSubnet(network, prefix, 'ipv4');
}

/** In IPv6, only the global unicast range is public. Addresses in it that wrap an IPv4 address are checked as IPv4. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const wrapsIpv4 = new BlockList();
wrapsIpv4.addSubnet('2002::', 16, 'ipv6');
wrapsIpv4.addSubnet('2001::', 32, 'ipv6');

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !wrapsIpv4.check(address, 'ipv6');
}
