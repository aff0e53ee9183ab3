import type { Socket } from 'node:net';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import {
  experimental,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { AppError } from '../../domain/errors.js';
import { innerFields } from '../../util/protobuf-size.js';
import type { Access } from '../access.js';
import type { Door } from '../door/door.js';
import { principalOf } from '../guards/admission.js';
import { limits } from '../limits.js';
import { contextBuilder } from './call-context.js';
import { toCursor } from '../caller.js';
import { type Connection, openConnection, type Sink } from './connection.js';
import { type Forms, grpcForms } from './forms.js';
import type { StreamWriter } from './stream-writer.js';
import { guardInterceptor, legacyHeaderInterceptor, pipelineInterceptor } from './grpc-interceptors.js';
import type { HubRequestHandler } from './request-handler.js';

export type OpenGrpc = {
  readonly port: number;
  /** The port is open first, because the card that the handler shows names it. */
  serve(handler: HubRequestHandler): void;
  close(): void;
};

type Call = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** A2A over gRPC, v1.0 and v0.3 behind one door. A web page cannot speak it; who may call is decided as on HTTP. */
export function openGrpc(door: Door, access: Access): OpenGrpc {
  const server = new Server({
    'grpc.max_receive_message_length': limits.messageBytes,
    'grpc.max_concurrent_streams': limits.eventStreams,
    // Its books of every connection and call would have no reader.
    'grpc.enable_channelz': 0,
    interceptors: [legacyHeaderInterceptor, pipelineInterceptor],
  });

  /** Interceptors do not see the connection of a call: each connection has its own. */
  function enter(socket: Socket): void {
    const insecure = ServerCredentials.createInsecure();
    const guard = guardInterceptor(access, socket);
    const credentials = experimental.createServerCredentialsWithInterceptors(insecure, [guard]);
    const injector = server.createConnectionInjector(credentials);
    socket.once('close', () => injector.destroy());
    injector.injectConnection(socket);
  }

  return {
    port: door.port,
    serve(requestHandler) {
      const forms = grpcForms();
      const userBuilder = (call: Call): Promise<Connection> => Promise.resolve(connectionOf(call, forms));
      const options = { requestHandler, userBuilder, contextBuilder };
      server.addService(withBytes(A2AService), grpcService(options));
      server.addService(withBytes(LegacyA2AService), legacyGrpcService(options));
      door.open(enter);
    },
    close() {
      void door.close();
      server.forceShutdown();
    },
  };
}

/**
 * What is a message of protocol buffers already is sent as it is. A request that says too much is not decoded: the guard
 * refuses with what stands in its place.
 */
function withBytes(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]): [string, typeof method] => {
    const responseSerialize = (value: object): Buffer =>
      Buffer.isBuffer(value) ? value : method.responseSerialize(value);
    const requestDeserialize = (bytes: Buffer): unknown =>
      innerFields(bytes) > limits.jsonValues
        ? new AppError('too-large', `the request has more than ${limits.jsonValues} values`)
        : method.requestDeserialize(bytes);
    return [name, { ...method, requestDeserialize, responseSerialize }];
  });
  return Object.fromEntries(methods);
}

function connectionOf(call: Call, forms: Forms<Buffer>): Connection {
  const agent = call.metadata.get('user-agent')[0];
  const lastEventId = toCursor(call.metadata.get('last-event-id')[0]);
  return openConnection('write' in call ? call : unarySink(call), {
    transport: 'grpc',
    principal: principalOf(call.metadata),
    ...(agent === undefined ? {} : { client: String(agent) }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
    ...('write' in call ? { writer: callWriter(call, forms) } : {}),
  });
}

function callWriter(call: ServerWritableStream<unknown, unknown>, forms: Forms<Buffer>): StreamWriter {
  const path = call.getPath();
  const isSend = path.endsWith('/SendStreamingMessage');
  const form = path.startsWith('/a2a.v1.') ? (isSend ? forms.v03Send : forms.v03) : forms.v1;
  return {
    add(event, audience) {
      for (const message of form.of(event, audience)) call.write(message);
    },
    flush: () => {},
    finish: () => {},
  };
}

/** A single answer never has to wait for its reader, but its reader may go. */
function unarySink(call: ServerUnaryCall<unknown, unknown>): Sink {
  return {
    writableNeedDrain: false,
    destroyed: call.cancelled,
    once: (event, listener) => call.once(event, listener),
    off: (event, listener) => call.off(event, listener),
  };
}
