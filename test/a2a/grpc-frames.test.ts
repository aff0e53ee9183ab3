import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { grpc } from '../support/a2a/grpc.js';
import { all } from '../support/a2a/transport.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';

/** grpc-js has no public way to send several messages in one write: this is what it must go on doing for ours. */
describe('gRPC messages that are sent together', () => {
  let hub: ServedHub;
  beforeEach(async () => {
    hub = await serveHub({}, { grpcPort: 0 });
  });
  afterEach(() => hub.stop());

  test.each([
    ['with the extension', { 'a2a-extensions': extensionUri }],
    ['without it', {}],
  ])('arrive one by one, in order and whole, whatever their size: %s', async (_, headers: Record<string, string>) => {
    const transport = grpc(hub.server.grpcPort ?? 0);
    const events = transport.stream({ text: 'go' }, { headers });
    await events.next();
    const sizes = [1, 300, 5, 70_000, 2, 140_000, 16_384, 1, 64 * 1024];
    const said = sizes.map((size, index) => String.fromCodePoint(97 + index).repeat(size));
    // All in one tick.
    for (const text of said) hub.engine.say(text);
    hub.engine.end();
    const seen = await all(events);
    expect(seen.flatMap(({ texts }) => texts).filter((text) => text !== '')).toEqual(said);
    expect(seen.at(-1)).toMatchObject({ what: 'status', state: 'completed' });
    transport.close();
  });
});
