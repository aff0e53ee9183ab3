import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { buildGrpcErrorMetadata, grpcStatusFor } from '@a2a-js/sdk/errors/grpc';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import { Metadata, type sendUnaryData, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { Gathering } from '../../http/gathering.js';
import { toA2AError } from '../calls/a2a-error.js';
import type { Caller } from '../calls/caller.js';
import type { Operations } from '../operations/operations.js';
import { sdkHandler, StreamOpening } from '../operations/sdk-handler.js';
import type { Form } from '../streams/form.js';
import { grpcForms } from '../streams/forms.js';
import { flushLength, type StreamWriter } from '../streams/stream-writer.js';
import type { TaskStream } from '../streams/task-stream.js';
import { Frames } from './frames.js';
import { grpcCaller, type StreamCall, type UnaryCall } from './grpc-caller.js';

/** The service of one A2A version. */
type Version = {
  readonly definition: ServiceDefinition;
  /** The SDK's service, which reads requests and writes single responses in the form of its version. */
  readonly make: (options: ServiceOptions) => UntypedServiceImplementation;
  /** The streaming methods, by name. */
  readonly streams: Readonly<Record<string, StreamMethod>>;
};

type ServiceOptions = Parameters<typeof grpcService>[0] & Parameters<typeof legacyGrpcService>[0];

type StreamMethod = {
  /** The method whose response is the first event of the stream. */
  readonly single: string;
  /** That response as an event. */
  readonly toEvent: (answer: unknown) => unknown;
  readonly form: Form<Buffer>;
};

const unchanged = (answer: unknown): unknown => answer;
const asTask = (value: unknown): unknown => ({ payload: { $case: 'task', value } });

/** The A2A services of v1.0 and v0.3. */
export function a2aServices(operations: Operations): [ServiceDefinition, UntypedServiceImplementation][] {
  const { v1, v03, v03Send } = grpcForms();
  const versions: Version[] = [
    {
      definition: A2AService,
      make: grpcService,
      streams: {
        sendStreamingMessage: { single: 'sendMessage', toEvent: unchanged, form: v1 },
        subscribeToTask: { single: 'getTask', toEvent: asTask, form: v1 },
      },
    },
    {
      definition: LegacyA2AService,
      make: legacyGrpcService,
      streams: {
        sendStreamingMessage: { single: 'sendMessage', toEvent: unchanged, form: v03Send },
        taskSubscription: { single: 'getTask', toEvent: asTask, form: v03 },
      },
    },
  ];
  return versions.map((version) => [version.definition, implementationOf(version, operations)]);
}

/** Every call gets its own SDK service, which knows its caller. */
function implementationOf(
  { definition, make, streams }: Version,
  operations: Operations,
): UntypedServiceImplementation {
  const serviceFor = (requestHandler: A2ARequestHandler, { context }: Caller): UntypedServiceImplementation =>
    make({ requestHandler, userBuilder: UserBuilder.noAuthentication, contextBuilder: () => context });

  const answer = (name: string) => (call: UnaryCall, callback: sendUnaryData<unknown>) => {
    const caller = grpcCaller(call);
    ask(serviceFor(sdkHandler(operations, caller), caller), name, call, callback);
  };

  const stream = (method: StreamMethod) => (call: StreamCall) => {
    const caller = grpcCaller(call);
    const opening = new StreamOpening(operations, caller);
    ask(serviceFor(opening.handler, caller), method.single, call, (refused, first) => {
      if (refused) call.emit('error', refused);
      else void writeStream(call, method, first, opening.stream);
    });
  };

  const methods = Object.keys(definition).map((name) => {
    const streaming = streams[name];
    return [name, streaming ? stream(streaming) : answer(name)] as const;
  });
  return Object.fromEntries(methods);
}

/** Asks the SDK for a single response. It uses only the request and the metadata, which every kind of call has. */
function ask(
  service: UntypedServiceImplementation,
  name: string,
  call: UnaryCall | StreamCall,
  callback: sendUnaryData<unknown>,
): void {
  const method = service[name];
  if (!method) throw new Error(`the SDK's service has no ${name}`);
  Reflect.apply(method, service, [call, callback]);
}

async function writeStream(
  call: StreamCall,
  { toEvent, form }: StreamMethod,
  first: unknown,
  stream: TaskStream | undefined,
): Promise<void> {
  call.write(toEvent(first));
  const writer = callWriter(call, form);
  try {
    await stream?.writeTo(writer);
    call.end();
  } catch (reason) {
    writer.finish();
    call.emit('error', toStatus(reason));
  }
}

function callWriter(call: StreamCall, form: Form<Buffer>): StreamWriter {
  let pending: Buffer[] = [];
  let bytes = 0;
  const finish = (): void => {
    // The client may have cancelled meanwhile.
    if (pending.length > 0 && call.writable) call.write(new Frames(pending));
    pending = [];
    bytes = 0;
  };
  const gathering = new Gathering(finish);
  return {
    add(event, audience) {
      for (const message of form.of(event, audience)) {
        pending.push(message);
        bytes += message.length;
      }
      if (bytes >= flushLength) finish();
    },
    flush() {
      if (pending.length > 0) gathering.note();
    },
    finish,
  };
}

/** The status that ends a stream that cannot continue. */
function toStatus(reason: unknown): { code: number; details: string; metadata?: Metadata } {
  const error = toA2AError(reason, 'grpc');
  const metadata = buildGrpcErrorMetadata(Metadata, error);
  return { code: grpcStatusFor(error), details: error.message, ...(metadata && { metadata }) };
}
