import {
  type ClientReadableStream,
  credentials,
  makeGenericClientConstructor,
  Metadata,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { A2AFailure, type Json, type Seen } from './transport.js';

type Unary = (request: unknown, metadata: Metadata, done: (error: ServiceError | null, value: unknown) => void) => void;
type Streaming = (request: unknown, metadata: Metadata) => ClientReadableStream<unknown>;

/** A plain gRPC client of a service: requests and answers are the objects of its protocol buffers. */
export function grpcClient(port: number, service: ServiceDefinition, always: Record<string, string>) {
  const Client = makeGenericClientConstructor(service, 'A2A');
  // Otherwise clients of the same port share a connection.
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const methods = client as unknown as Record<string, Unary & Streaming>;
  const method = (name: string): Unary & Streaming => {
    const found = methods[name];
    if (!found) throw new Error(`there is no method ${name}`);
    return found.bind(client);
  };
  const metadata = (headers: Record<string, string> = {}): Metadata => {
    const made = new Metadata();
    for (const [key, value] of Object.entries({ ...always, ...headers })) made.set(key, value);
    return made;
  };
  return {
    call: <T>(name: string, request: unknown, headers?: Record<string, string>): Promise<T> =>
      new Promise<T>((resolve, reject) =>
        method(name)(request, metadata(headers), (error, value) =>
          error ? reject(failureOf(error)) : resolve(value as T),
        ),
      ),
    async *open(name: string, request: unknown, read: (event: unknown) => Seen, headers?: Record<string, string>) {
      const call = method(name)(request, metadata(headers));
      try {
        for await (const event of call as AsyncIterable<unknown>) yield numbered(read(event));
      } catch (error) {
        throw failureOf(error as ServiceError);
      } finally {
        call.cancel();
      }
    },
    /** A header of the answer to a stream. */
    header: (name: string, request: unknown, headers: Record<string, string> | undefined, header: string) =>
      new Promise<string>((resolve, reject) => {
        const call = method(name)(request, metadata(headers));
        call.once('metadata', (given: Metadata) => resolve(given.get(header).join(', ')));
        call.once('error', reject);
        call.resume();
      }),
    close: () => client.close(),
  };
}

/** The message of an event ends with its number, which is all that gRPC has in place of `id:`. */
function numbered(seen: Seen): Seen {
  const number = /-(\d+)$/.exec(seen.what === 'status' ? (seen.messageId ?? '') : '')?.[1];
  return number === undefined ? seen : { ...seen, eventId: Number(number) };
}

function failureOf({ code, message, metadata }: ServiceError): A2AFailure {
  const details = metadata.get('grpc-status-details-bin')[0];
  const body: Json = {
    message,
    ...(details === undefined ? {} : { details: Buffer.from(details).toString('latin1') }),
  };
  return new A2AFailure(code, body);
}
