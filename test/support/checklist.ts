import { expect } from 'vitest';
import type { OpenServer } from '../../src/server/open-server.js';
import { unreachable } from '../../src/util/unreachable.js';
import { grpcLegacy } from './a2a/grpc-legacy.js';
import { grpc } from './a2a/grpc.js';
import { jsonRpc } from './a2a/json-rpc.js';
import { rest } from './a2a/rest.js';
import { A2AFailure, type Transport, type TransportName } from './a2a/transport.js';
import { type AgentOptions, type ConformanceAgent, openConformanceAgent } from './open-conformance-agent.js';

/** A conformance agent with a client for every transport and version. */
export async function openChecklist(options: AgentOptions = {}) {
  const agent = await openConformanceAgent({ streamingTimeoutMs: 100, ...options });
  const opened: Transport[] = [];
  // What comes through a balancer could come from anywhere, so it needs a token.
  const isBehind = options.place === 'three servers of a cluster';
  const credentials = isBehind ? { authorization: `Bearer ${agent.token}` } : undefined;
  let closed: Promise<ConformanceAgent> | undefined;
  const open = (to: ConformanceAgent, name: TransportName, headers?: Record<string, string>): Transport => {
    const transport = openTransport(to, name, headers);
    opened.push(transport);
    return transport;
  };
  return {
    base: agent.url.slice(0, -1),
    on: (name: TransportName): Transport => opened.find((each) => each.name === name) ?? open(agent, name, credentials),
    /** A client of a second agent that requires its token. */
    async withToken(name: TransportName, authorization?: string): Promise<Transport> {
      closed ??= openConformanceAgent({ requireToken: true, ...options });
      const guarded = await closed;
      const given = authorization ?? `Bearer ${guarded.token}`;
      return open(guarded, name, given === '' ? {} : { authorization: given });
    },
    async close() {
      for (const transport of opened) transport.close();
      expect(agent.errors).toEqual([]);
      await Promise.all([agent.close(), (await closed)?.close()]);
    },
  };
}

export type Checklist = Awaited<ReturnType<typeof openChecklist>>;

/** A client of this server that speaks one version on one transport. */
export function openTransport(
  { url, grpcPort = 0 }: Pick<OpenServer, 'url' | 'grpcPort'>,
  name: TransportName,
  headers?: Record<string, string>,
): Transport {
  const base = url.slice(0, -1);
  switch (name) {
    case 'JSON-RPC v1.0':
    case 'JSON-RPC v0.3':
      return jsonRpc(base, name === 'JSON-RPC v1.0' ? '1.0' : '0.3', headers);
    case 'HTTP+JSON v1.0':
    case 'HTTP+JSON v0.3':
      return rest(base, name === 'HTTP+JSON v1.0' ? '1.0' : '0.3', headers);
    case 'gRPC v1.0':
      return grpc(grpcPort, headers);
    case 'gRPC v0.3':
      return grpcLegacy(grpcPort, headers);
    default:
      return unreachable(name);
  }
}

/** Numbers of the same failure on each transport: JSON-RPC, HTTP, gRPC. */
const codes = {
  notFound: { rpc: -32001, http: 404, grpc: 5 },
  notCancelable: { rpc: -32002, http: 400, grpc: 9 },
  unsupported: { rpc: -32004, http: 400, grpc: 9 },
  mediaType: { rpc: -32005, http: 400, grpc: 3 },
  version: { rpc: -32009, http: 400, grpc: 9 },
  malformed: { rpc: -32602, http: 400, grpc: 3 },
  tooSlow: { rpc: -32056, http: 410, grpc: 9 },
  unauthenticated: { rpc: -32060, http: 401, grpc: 16 },
} as const;

export function codeOn(name: TransportName, code: keyof typeof codes): number {
  return codes[code][name.startsWith('JSON') ? 'rpc' : name.startsWith('gRPC') ? 'grpc' : 'http'];
}

export async function failure(promise: Promise<unknown>): Promise<A2AFailure> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`no failure: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof A2AFailure) return thrown;
  throw thrown;
}

/** Asks for the task as it is now, in the words of both versions. */
export const later = { configuration: { returnImmediately: true, blocking: false } };
