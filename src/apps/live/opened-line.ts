import type { OpenServer } from '../../server/open-server.js';

/** The line that shows the user where the endpoint is, and what to know about it. */
export function openedLine({ ownUrl, url, grpcPort, tls, advice, warning, page }: OpenServer): string {
  const grpc = grpcPort === undefined ? '' : `, gRPC ${new URL(ownUrl).hostname}:${grpcPort}`;
  const notes = [
    ...(page ? [`page ${page.url}`] : []),
    ...(url === ownUrl ? [] : [`public address ${url}`]),
    ...(tls ? [`certificate SHA-256 ${tls.fingerprint}`] : []),
    ...(warning === undefined ? [] : [warning]),
    ...(advice === undefined ? [] : [advice]),
  ];
  return [`A2A endpoint on ${ownUrl} (WebSocket ${ownUrl.replace(/^http/, 'ws')}ws${grpc})`, ...notes].join('; ');
}
