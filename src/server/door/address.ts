import { BlockList, isIP, isIPv4 } from 'node:net';
import { AppError } from '../../domain/errors.js';

/** Finds the address a request came from, seen through trusted proxies. */
export type AddressOf = (peer: string, forwardedFor: string | undefined) => string;

/** `trusted`: addresses or networks (`10.0.0.0/8`) of proxies that add to `X-Forwarded-For`. */
export function addressReader(trusted: readonly string[]): AddressOf {
  if (trusted.length === 0) return (peer) => plainAddress(peer);
  const proxies = new BlockList();
  for (const entry of trusted) addNetwork(proxies, entry);
  const isProxy = (address: string): boolean => proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return (peer, forwardedFor) => {
    // Each proxy appends its caller's address. Entries before the last proxy we trust can be forged.
    const path = [...(forwardedFor ?? '').split(',').map((part) => part.trim()), plainAddress(peer)];
    let address = path.pop() ?? '';
    while (isIP(address) !== 0 && isProxy(address) && path.length > 0) {
      const before = plainAddress(path.pop() ?? '');
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}

/** One key per subscriber line, because a home or a server has a whole /64 of IPv6. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/** Turns an IPv4-mapped IPv6 address into plain IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function addNetwork(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/');
  const kind = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  try {
    if (bits === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(bits), kind);
  } catch (cause) {
    throw new AppError('bad-request', `"${entry}" is not an address or a network like 10.0.0.0/8`, { cause });
  }
}
