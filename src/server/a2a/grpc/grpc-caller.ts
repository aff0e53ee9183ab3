import { Extensions } from '@a2a-js/sdk';
import type { ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { toCursor } from '../../http/caller.js';
import { principalOf } from '../../guards/admission.js';
import { callContext } from '../calls/call-context.js';
import type { Caller } from '../calls/caller.js';
import { readerOf, type Sink } from '../streams/reader.js';
import { defined } from '../../../util/defined.js';

export type UnaryCall = ServerUnaryCall<unknown, unknown>;
export type StreamCall = ServerWritableStream<unknown, unknown>;

export function grpcCaller(call: UnaryCall | StreamCall): Caller {
  const { metadata } = call;
  const [client] = metadata.get('user-agent');
  const [version] = metadata.get('a2a-version');
  const lastEventId = toCursor(metadata.get('last-event-id')[0]);
  // v0.3 has another name for this header.
  const extensions = [...metadata.get('a2a-extensions'), ...metadata.get('x-a2a-extensions')].join(',');
  return {
    transport: 'grpc',
    principal: principalOf(metadata),
    context: callContext(version?.toString(), Extensions.parseServiceParameter(extensions)),
    reader: readerOf('write' in call ? call : unarySink(call)),
    ...(client === undefined ? {} : { client: client.toString() }),
    ...defined({ lastEventId }),
  };
}

/** A single response never waits for its reader, but the reader may disconnect. */
function unarySink(call: UnaryCall): Sink {
  return {
    writableNeedDrain: false,
    destroyed: call.cancelled,
    once: (event, listener) => call.once(event, listener),
    off: (event, listener) => call.off(event, listener),
  };
}
