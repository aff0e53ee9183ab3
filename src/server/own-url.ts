import { hostInUrl } from '../util/net/host-in-url.js';

/** The address by which programs on this machine reach a server that listens on `host`. */
export function ownUrl(host: string, port: number, isSecure: boolean): string {
  // A server that listens on every address is reached at one of them.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${isSecure ? 'https' : 'http'}://${hostInUrl(name)}:${port}/`;
}
