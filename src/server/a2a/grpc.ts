import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { RecentMap } from '../../util/recent-map.js';
import { isSameUser } from '../guards/same-user.js';
import { isSameToken } from '../guards/token.js';
import { limits } from '../limits.js';
import { type Connection, openConnection, type Sink } from './connection.js';
import type { HubRequestHandler } from './request-handler.js';
import { contextBuilder } from './call-context.js';

export type GrpcOptions = {
  readonly handler: HubRequestHandler;
  readonly port: number;
  readonly token: string;
  readonly requireToken: boolean;
};

export type OpenGrpc = { readonly port: number; close(): void };

type Call = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** A2A over gRPC on loopback, v1.0 and v0.3 on one port. A web page cannot speak it; other users are kept out as on HTTP. */
export async function openGrpc({ handler, port, token, requireToken }: GrpcOptions): Promise<OpenGrpc> {
  const server = new Server({ 'grpc.max_receive_message_length': limits.messageBytes });
  const userBuilder = (call: Call): Promise<Connection> => Promise.resolve(connectionOf(call));
  const options = { requestHandler: handler, userBuilder, contextBuilder };
  const verdicts = new RecentMap<string, Promise<boolean>>(1000);
  let bound = port;

  async function mayCall(call: Call): Promise<boolean> {
    const [, given] = /^Bearer (\S+)$/i.exec(String(call.metadata.get('authorization')[0] ?? '')) ?? [];
    if (given !== undefined) return isSameToken(given, token);
    if (requireToken) return false;
    const peer = call.getPeer();
    const verdict = verdicts.get(peer) ?? isSameUser({ remotePort: Number(peer.split(':').at(-1)), localPort: bound });
    verdicts.set(peer, verdict);
    return verdict;
  }

  server.addService(A2AService, guarded(grpcService(options) as unknown as UntypedServiceImplementation, mayCall));
  const legacy = legacyGrpcService(options) as unknown as UntypedServiceImplementation;
  server.addService(LegacyA2AService, guarded(withFinal(legacy), mayCall));
  bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, actual) =>
      error ? reject(error) : resolve(actual),
    );
  });
  return { port: bound, close: () => server.forceShutdown() };
}

type Method = (call: Call, callback?: sendUnaryData<unknown>) => void;

function mapMethods(
  service: UntypedServiceImplementation,
  change: (method: Method, name: string) => Method,
): UntypedServiceImplementation {
  const methods = Object.entries(service).map(([name, method]) => [
    name,
    change((method as Method).bind(service), name),
  ]);
  return Object.fromEntries(methods) as UntypedServiceImplementation;
}

function guarded(
  service: UntypedServiceImplementation,
  mayCall: (call: Call) => Promise<boolean>,
): UntypedServiceImplementation {
  return mapMethods(service, (method) => (call, callback) => {
    void mayCall(call).then((may) => {
      if (may) return method(call, callback);
      const error = {
        code: status.UNAUTHENTICATED,
        details: 'send the token of this session as "authorization: Bearer …"',
      };
      if (callback) return callback(error);
      return call.emit('error', error);
    });
  });
}

/** v0.3: a send ends where input is required, and its last event says so. */
function withFinal(service: UntypedServiceImplementation): UntypedServiceImplementation {
  return mapMethods(service, (method, name) => (call, callback) => {
    if (name === 'sendStreamingMessage' && 'write' in call) {
      const write = call.write.bind(call);
      call.write = ((event: LegacyEvent, ...rest: []) => {
        const update = event.payload?.$case === 'statusUpdate' ? event.payload.value : undefined;
        if (update?.status?.state === legacyInputRequired) update.final = true;
        return write(event, ...rest);
      }) as typeof call.write;
    }
    method(call, callback);
  });
}

/** TASK_STATE_INPUT_REQUIRED of the v0.3 protocol buffer. */
const legacyInputRequired = 6;
type LegacyEvent = { payload?: { $case: string; value: { final?: boolean; status?: { state?: number } } } };

function connectionOf(call: Call): Connection {
  const agent = call.metadata.get('user-agent')[0];
  const sink: Sink =
    'write' in call ? call : { writableNeedDrain: false, destroyed: false, once: () => {}, off: () => {} };
  return openConnection(sink, {
    transport: 'grpc',
    isAuthenticated: true,
    ...(agent === undefined ? {} : { client: String(agent) }),
  });
}
