import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { owner } from '../../src/auth/principal.js';
import type { Peers } from '../../src/domain/peers.js';
import { connectionHeader } from '../../src/server/acp/http-connections.js';
import { clusteredAnswers } from '../../src/server/acp/http-elsewhere.js';

/** Answers of a server that asks these others, and which of them it has asked. */
function open() {
  const asked: string[] = [];
  const peers: Peers = {
    server: randomUUID(),
    tell: () => {},
    onTold: () => {},
    async ask(server) {
      asked.push(server);
      return { is: 'gone' };
    },
    askAll: async () => [],
    onAsked: () => {},
    onGone: () => {},
  };
  const own = { answer: async () => new Response(null, { status: 404 }), close: () => {} };
  const answers = clusteredAnswers(own, peers);
  const ask = async (id: string): Promise<number> => {
    const request = { method: 'POST', headers: { [connectionHeader]: id }, body: '{}', principal: owner };
    return (await answers.answer(request, new AbortController().signal)).status;
  };
  return { asked, ask };
}

/** The part before the dot was taken for the name of a server, whatever it was, and became a part of a NATS subject. */
test.each(['a b.1', '*.1', '>.1', `${'x'.repeat(5000)}.1`, '.1'])(
  'no server is asked for a connection that names none: %#',
  async (id) => {
    const { asked, ask } = open();
    expect(await ask(id)).toBe(404);
    expect(asked).toEqual([]);
  },
);

test('the server that a connection names is asked', async () => {
  const { asked, ask } = open();
  const server = randomUUID();
  expect(await ask(`${server}.${randomUUID()}`)).toBe(404);
  expect(asked).toEqual([server]);
});
