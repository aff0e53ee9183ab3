import { once } from 'node:events';
import { request } from 'node:http';
import { ListTasksRequest } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { grpcClient } from '../support/a2a/grpc-client.js';
import { freePort } from '../support/free-port.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What proxies, clouds and tunnels add. The connection is the owner's proxy's; who is behind it nobody knows. */
const added = [
  'Via',
  'Forwarded',
  'CDN-Loop',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Server',
  'X-Real-IP',
  'X-Client-IP',
  'Client-IP',
  'True-Client-IP',
  'X-Cluster-Client-IP',
  'X-Original-URI',
  'X-Original-Host',
  'X-Envoy-External-Address',
  'X-ProxyUser-Ip',
  'Proxy-Authorization',
  'X-Auth-Request-User',
  'CF-Connecting-IP',
  'CF-Ray',
  'Fastly-Client-IP',
  'Akamai-Origin-Hop',
  'X-Amzn-Trace-Id',
  'X-Azure-ClientIP',
  'X-Appengine-User-IP',
  'X-Goog-IAP-JWT-Assertion',
  'Fly-Client-IP',
  'X-Vercel-Forwarded-For',
  'Tailscale-User-Login',
  'X-Varnish',
];

/** What clients of the owner send themselves. */
const usual = ['X-Request-Id', 'Traceparent', 'X-B3-TraceId', 'X-Goog-Api-Client', 'User-Agent', 'A2A-Extensions'];

test('what a proxy passes on is not taken for the owner, on HTTP, WebSocket and gRPC', async () => {
  const grpcPort = await freePort();
  const served = await startServe({
    folder: temporaryFolder(),
    modelUrl: 'http://127.0.0.1:9',
    args: ['--grpc-port', String(grpcPort)],
  });
  const port = Number(new URL(served.base).port);
  const isServed = {
    http: async (header: string) => (await httpStatus(port, header)) === 200,
    ws: (header: string) => opens(port, header),
    grpc: (header: string) => answers(grpcPort, header),
  };
  for (const [transport, ask] of Object.entries(isServed)) {
    const heard = async (headers: readonly string[]): Promise<string[]> => {
      const verdicts = await Promise.all(headers.map(ask));
      return headers.filter((_, index) => verdicts[index]);
    };
    expect({ transport, served: await heard(added) }).toEqual({ transport, served: [] });
    expect({ transport, served: await heard(usual) }).toEqual({ transport, served: usual });
  }
});

/** `fetch` would refuse to send some of them. */
async function httpStatus(port: number, header: string): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path: '/tasks', headers: { [header]: '1' } }).end();
  const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

function opens(port: number, header: string): Promise<boolean> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { [header]: '1' } });
  return new Promise((resolve) => {
    socket.once('open', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.terminate()) as Promise<boolean>;
}

async function answers(port: number, header: string): Promise<boolean> {
  const client = grpcClient(port, A2AService, { 'a2a-version': '1.0', [header.toLowerCase()]: '1' });
  try {
    await client.call('listTasks', ListTasksRequest.fromJSON({}));
    return true;
  } catch {
    return false;
  } finally {
    client.close();
  }
}
