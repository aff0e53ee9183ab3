import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { type Client, credentials, makeGenericClientConstructor, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { WireClient } from '../wire-client.js';

export type Needs = 'public' | 'view' | 'prompt' | 'approve' | 'metrics' | 'admin';
export type Verdict = 'served' | 'broken' | 'token-required' | 'scope-missing';

/** One thing that a client can ask for. */
export type Operation = {
  readonly name: string;
  readonly needs: Needs;
  /** The method, or the verb and path of the route: its row in the tables of scopes. */
  readonly row: string;
  readonly call: (token: string | undefined) => Promise<Verdict>;
};

/** Where operations go. The addresses are known when the first call is made. */
export type Place = {
  readonly base: () => string;
  readonly grpcPort: () => number;
  /** The query of `/ws`. */
  readonly query?: string;
};

/** Makes operations of every transport. `about` tells two of the same method apart. */
export function callerOf({ base, grpcPort, query = '' }: Place) {
  const port = (): string => new URL(base()).port;

  const http = (
    needs: Needs,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Operation => ({
    name: `${method} ${path}`,
    needs,
    row: `${method} ${path.split('?')[0]}`,
    async call(token) {
      const response = await fetch(`${base()}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers, ...bearer(token) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await response.body?.cancel();
      return verdictOf(response.status);
    },
  });

  const rpc =
    (version: '0.3' | '1.0') =>
    (needs: Needs, method: string, params: unknown, about = ''): Operation => ({
      ...http(needs, 'POST', '/', { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': version }),
      name: `JSON-RPC ${version} ${method} ${about}`,
      row: method,
    });

  const rest =
    (version: '0.3' | '1.0') =>
    (needs: Needs, method: string, path: string, body?: unknown, about = ''): Operation => {
      const prefix = version === '0.3' ? '/a2a/rest/v1' : '/a2a/rest';
      const made = http(needs, method, `${prefix}${path}`, body, { 'a2a-version': version });
      return { ...made, name: `REST ${version} ${method} ${path} ${about}` };
    };

  const grpc =
    (version: '0.3' | '1.0') =>
    (needs: Needs, method: string, request: unknown, about = ''): Operation => ({
      name: `gRPC ${version} ${method} ${about}`,
      needs,
      row: `${method.charAt(0).toUpperCase()}${method.slice(1)}`,
      call: (token) => callGrpc({ port: grpcPort(), version, method, request, token }),
    });

  const connect = async (path: string, token: string | undefined): Promise<WireClient | Verdict> => {
    const sent = { headers: bearer(token) };
    const client = await WireClient.connect(`ws://127.0.0.1:${port()}${path}`, sent).catch((error: Error) => error);
    if (!(client instanceof Error)) return client;
    return verdictOf(Number(/\d{3}/.exec(client.message)?.[0]));
  };

  const socket = (needs: Needs, method: string, params: unknown = {}, about = ''): Operation => ({
    name: `/ws ${method} ${about}`,
    needs,
    row: method,
    call: async (token) => replyOf(await connect(`/ws${query}`, token), method, params),
  });

  const acp = (needs: Needs, method: string, params: unknown = {}): Operation => ({
    name: `ACP ${method}`,
    needs,
    row: method,
    async call(token) {
      const client = await connect('/acp', token);
      if (client instanceof WireClient && method !== 'initialize') await client.call('initialize', initialize);
      return replyOf(client, method, params);
    },
  });

  const acpHttp = (needs: Needs, message: { method?: string; params?: unknown; result?: unknown }): Operation => ({
    name: `ACP over HTTP ${message.method ?? 'an answer'}`,
    needs,
    row: 'POST /acp',
    async call(token) {
      const post = (body: object, more: Record<string, string> = {}): Promise<Response> =>
        fetch(`${base()}/acp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...bearer(token), ...more },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
        });
      const opened =
        message.method === undefined ? undefined : await post({ method: 'initialize', params: initialize });
      await opened?.body?.cancel();
      const id = opened?.headers.get('acp-connection-id');
      const response = await post(message, typeof id === 'string' ? { 'acp-connection-id': id } : {});
      await response.body?.cancel();
      return verdictOf(response.status);
    },
  });

  return {
    http,
    rpc: rpc('0.3'),
    rpc1: rpc('1.0'),
    rest: rest('0.3'),
    rest1: rest('1.0'),
    grpc: grpc('0.3'),
    grpc1: grpc('1.0'),
    socket,
    acp,
    acpHttp,
  };
}

export type Caller = ReturnType<typeof callerOf>;

const initialize = { protocolVersion: 1 };

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function verdictOf(status: number): Verdict {
  if (status === 401) return 'token-required';
  if (status >= 500) return 'broken';
  return status === 403 ? 'scope-missing' : 'served';
}

async function replyOf(client: WireClient | Verdict, method: string, params: unknown): Promise<Verdict> {
  if (!(client instanceof WireClient)) return client;
  const reply = await client.call(method, params);
  client.close();
  return (reply['error'] as { code?: number } | undefined)?.code === -32070 ? 'scope-missing' : 'served';
}

type GrpcCall = {
  readonly port: number;
  readonly version: '0.3' | '1.0';
  readonly method: string;
  readonly request: unknown;
  readonly token: string | undefined;
};

function callGrpc({ port, version, method, request, token }: GrpcCall): Promise<Verdict> {
  const service = version === '0.3' ? LegacyA2AService : A2AService;
  const Service = makeGenericClientConstructor(service, 'A2A');
  const client: Client = new Service(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  if (version === '1.0') metadata.set('a2a-version', version);
  for (const [key, value] of Object.entries(bearer(token))) metadata.set(key, value);
  const { path, requestSerialize, responseDeserialize, responseStream } = Reflect.get(
    service,
    method,
  ) as MethodDefinition<unknown, unknown>;
  return new Promise((resolve) => {
    const done = (code: number | undefined): void => {
      client.close();
      resolve(code === 16 ? 'token-required' : code === 7 ? 'scope-missing' : code === 13 ? 'broken' : 'served');
    };
    if (responseStream) {
      const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
      stream.on('data', () => done(0));
      stream.on('error', (error: Error & { code: number }) => done(error.code));
    } else
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error) =>
        done(error?.code),
      );
  });
}
