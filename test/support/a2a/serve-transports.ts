import { freePort } from '../free-port.js';
import { type ServeProcess, startServe, type ServeProcessOptions } from '../serve-process.js';
import { grpcLegacy } from './grpc-legacy.js';
import { grpc } from './grpc.js';
import { jsonRpc } from './json-rpc.js';
import { rest } from './rest.js';
import type { Transport } from './transport.js';

/** The built `cosession serve` with a client for every transport and version of A2A. */
export async function serveTransports(
  options: ServeProcessOptions,
): Promise<{ readonly served: ServeProcess; readonly transports: readonly Transport[] }> {
  const grpcPort = await freePort();
  const served = await startServe({ ...options, args: ['--grpc-port', String(grpcPort), ...(options.args ?? [])] });
  const { base } = served;
  const transports = [
    jsonRpc(base, '1.0'),
    jsonRpc(base, '0.3'),
    rest(base, '1.0'),
    rest(base, '0.3'),
    grpc(grpcPort),
    grpcLegacy(grpcPort),
  ];
  return { served, transports };
}
