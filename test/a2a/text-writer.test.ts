import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import { shownWith } from '../../src/domain/turn.js';
import { toJsonV03 } from '../../src/dialects/a2a/json-v03.js';
import { toJson } from '../../src/dialects/a2a/json.js';
import { protoTextWriter, protoTextWriterV03 } from '../../src/dialects/a2a/proto-text-writer.js';
import { toProto, toProtoV03 } from '../../src/dialects/a2a/proto.js';
import { toRestJsonV03 } from '../../src/dialects/a2a/rest-json-v03.js';
import { jsonTextWriter, type TextWriter } from '../../src/dialects/a2a/text-writer.js';
import { toUpdates, type Update, type UpdateOptions } from '../../src/dialects/a2a/updates.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { grpc } from '../support/a2a/grpc.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import type { Seen, Transport } from '../support/a2a/transport.js';
import { anyTextEvent } from '../support/any-event.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';

/** The fast way must write what the general one writes, and that is tested to be what the SDK writes. */

type Written = string | Buffer;
type Way = { general: (update: Update) => Written; fast: (options: UpdateOptions) => TextWriter<Written> };

function json(write: (update: Update, isFinal: boolean) => string): Way {
  const general = (update: Update): string => write(update, false);
  return { general, fast: (options) => jsonTextWriter(general, options) };
}

const ways: readonly (readonly [string, Way])[] = [
  ['JSON of v1.0', json(toJson)],
  ['JSON of v0.3', json(toJsonV03)],
  ['JSON of v0.3 on HTTP+JSON', json(toRestJsonV03)],
  ['protocol buffers of v1.0', { general: toProto, fast: protoTextWriter }],
  ['protocol buffers of v0.3', { general: (update) => toProtoV03(update, false), fast: protoTextWriterV03 }],
];

const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  // What the writers of JSON look for in a sample.
  fc.constantFrom('gemini-2.5-pro', String(Number.MAX_SAFE_INTEGER), '[the text]', '"[the text]"', '[the time]'),
);
const agent = fc.record({ model: name, userTier: name }, { requiredKeys: ['model'] });
const options = fc.record({
  taskId: name,
  contextId: name,
  agent,
  isExtended: fc.boolean(),
  shown: fc.constant(shownWith()),
});

test.each(ways)('%s: text is written as any event is', (_name, { general, fast }) => {
  const turn = fc.array(anyTextEvent, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(options, turn, (about, events) => {
      const past = { hasAnswer: true, previous: undefined, waiting: [] };
      const expected = events.flatMap((event) => toUpdates(event, about, past).map(general));
      expect(events.map(fast(about))).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

const transports: readonly (readonly [string, (hub: ServedHub) => Transport])[] = [
  ['JSON-RPC', ({ base }) => jsonRpc(base, '1.0')],
  ['gRPC', ({ server }) => grpc(server.grpcPort ?? 0)],
];

test.each(transports)('%s: text after a change of the model names the new one', async (_name, open) => {
  const hub = await serveHub({ model: 'the first' }, { grpcPort: 0 });
  const transport = open(hub);
  const events = transport.stream({ text: 'go' }, { headers: { 'a2a-extensions': extensionUri } });
  await events.next();
  hub.engine.say('one');
  expect((await untilText(events)).metadata).toMatchObject({ model: 'the first' });
  hub.engine.report({ type: 'settings', model: 'the second' });
  hub.engine.say('two');
  expect((await untilText(events)).metadata).toMatchObject({ model: 'the second' });
  await events.return();
  transport.close();
  await hub.stop();
});

async function untilText(events: AsyncGenerator<Seen>): Promise<Seen> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('the stream ended');
    if (value.texts.length > 0) return value;
  }
}
