import { expect } from 'vitest';
import { A2AFailure, grpc, jsonRpc, rest, type Transport } from './a2a-transports.js';
import { type AgentOptions, openConformanceAgent } from './open-conformance-agent.js';

/** The transports and versions that the checklist is run on. */
export const transportNames = ['JSON-RPC v1.0', 'JSON-RPC v0.3', 'HTTP+JSON v1.0', 'HTTP+JSON v0.3', 'gRPC v1.0'];

/** The conformance agent with a client for each of them. */
export async function openChecklist(options: AgentOptions = {}) {
  const agent = await openConformanceAgent({ streamingTimeoutMs: 100, ...options });
  const base = agent.url.slice(0, -1);
  const port = agent.grpcPort ?? 0;
  const transports: Transport[] = [
    jsonRpc(base, '1.0'),
    jsonRpc(base, '0.3'),
    rest(base, '1.0'),
    rest(base, '0.3'),
    grpc(port),
  ];
  return {
    base,
    on(name: string): Transport {
      const transport = transports.find((each) => each.name === name);
      if (!transport) throw new Error(name);
      return transport;
    },
    async close() {
      for (const transport of transports) transport.close();
      expect(agent.errors).toEqual([]);
      await agent.close();
    },
  };
}

export type Checklist = Awaited<ReturnType<typeof openChecklist>>;

/** Numbers of the same failure on each transport: JSON-RPC, HTTP, gRPC. */
const codes = {
  notFound: { rpc: -32001, http: 404, grpc: 5 },
  notCancelable: { rpc: -32002, http: 400, grpc: 9 },
  unsupported: { rpc: -32004, http: 400, grpc: 9 },
  malformed: { rpc: -32602, http: 400, grpc: 3 },
} as const;

export function codeOn(name: string, code: keyof typeof codes): number {
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
