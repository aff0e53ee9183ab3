import type { Socket } from 'node:net';
import { experimental, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { AppError } from '../../../domain/errors.js';
import { innerFields } from '../../../util/protobuf-size.js';
import type { Access } from '../../guards/access.js';
import type { Door } from '../../door/door.js';
import { limits } from '../../http/limits.js';
import type { Operations } from '../operations/operations.js';
import { guardInterceptor, legacyHeaderInterceptor, pipelineInterceptor } from './interceptors.js';
import { a2aServices } from './services.js';

export type OpenGrpc = {
  readonly port: number;
  /** Called after the port is open, because the card names the port. */
  serve(operations: Operations): void;
  close(): void;
};

/** A2A over gRPC, v1.0 and v0.3 on one port. Web pages cannot speak gRPC. Access is decided as on HTTP. */
export function openGrpc(door: Door, access: Access): OpenGrpc {
  const server = new Server({
    'grpc.max_receive_message_length': limits.messageBytes,
    'grpc.max_concurrent_streams': limits.eventStreams,
    // Nobody would read its statistics of connections and calls.
    'grpc.enable_channelz': 0,
    interceptors: [legacyHeaderInterceptor, pipelineInterceptor],
  });

  /** Interceptors do not see the connection of a call, so each connection gets its own interceptor. */
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
    serve(operations) {
      for (const [definition, implementation] of a2aServices(operations))
        server.addService(withLimits(definition), implementation);
      door.open(enter);
    },
    close() {
      void door.close();
      server.forceShutdown();
    },
  };
}

/** A request with too many values is not decoded. It becomes an error instead, and the guard refuses the call with it. */
function withLimits(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]): [string, typeof method] => {
    const requestDeserialize = (bytes: Buffer): unknown =>
      innerFields(bytes) > limits.jsonValues
        ? new AppError('too-large', `the request has more than ${limits.jsonValues} values`)
        : method.requestDeserialize(bytes);
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(methods);
}
