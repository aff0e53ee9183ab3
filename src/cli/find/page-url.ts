import { httpUrl, socketUrl } from '../../client/transport/endpoint.js';

/** The address of an endpoint's page, from any form in which people write the endpoint's address. Ends with a slash. */
export function pageUrl(url: string): string {
  return httpUrl(socketUrl({ url }), './').href;
}
