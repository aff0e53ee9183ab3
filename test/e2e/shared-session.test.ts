import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useLive } from '../support/use-live.js';
import { clientsOfASession, clientsScript } from './suites/clients-of-a-session.js';

const session = useLive({ script: clientsScript });
const { connect } = session;

describe('the five success criteria of seed 000', () => {
  test('[000-8.1] [000-2.2.1] [000-2.2.2] the flag starts the CLI with its own terminal UI and a server on that port', async () => {
    const { port } = await session.live.entry();
    await session.live.screen.waitFor(`A2A endpoint on http://127.0.0.1:${port}/`);
    const card = await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`);
    expect(card.status).toBe(200);
  });

  test('[000-8.2] [000-8.4] [000-6.2.1] [000-6.2.2] a client prompts and receives output, and the terminal shows both', async () => {
    const alice = await connect();
    await alice.prompt('hello from alice');
    await alice.state('completed');
    expect(alice.text).toBe('You said: hello from alice');
    await session.live.screen.waitFor('[A2A] hello from alice');
    await session.live.screen.waitFor('You said: hello from alice');
    expect(JSON.stringify(session.live.model.requests.at(-1)?.contents.at(-1))).not.toContain('[A2A]');
  });

  test('[000-8.3] what is typed in the terminal and its answer are received by every client', async () => {
    const [alice, bob] = [await connect(), await connect()];
    await session.live.screen.submit('typed in the terminal');
    for (const client of [alice, bob]) {
      await client.state('completed');
      const said = await client.kind('USER_MESSAGE');
      expect(said).toMatchObject({ content: { text: 'typed in the terminal' }, origin: { surface: 'tui' } });
      expect(client.text).toBe('You said: typed in the terminal');
    }
  });

  test('[000-8.5] [000-6.1.1] [000-5.2.1] [000-5.2.2] [000-5.2.3] [000-5.2.4] a permission asked in the terminal is answered by a client and its dialog closes', async () => {
    const [alice, bob] = [await connect(), await connect('?client=bob')];
    await session.live.screen.submit('touch one');
    const asked = await alice.pending();
    await session.live.screen.waitFor('Allow once');

    expect(await bob.answer(asked['tool_call_id'], 'proceed_once')).toMatchObject({ result: { accepted: true } });

    await session.live.screen.waitUntilGone('Allow once');
    const executing = await alice.tool('EXECUTING');
    expect(executing).toMatchObject({ metadata: { resolvedBy: { surface: 'a2a', client: 'bob' } } });
    await alice.tool('SUCCEEDED');
    await alice.state('completed');
    expect(existsSync(join(session.live.workspace, 'one.txt'))).toBe(true);
    expect(
      new Set(alice.seen.filter((event) => event['tool_call_id']).map((event) => event['tool_call_id'])).size,
    ).toBe(1);
  });
});

test('[000-6.1.2] [000-6.1.3] a choice in the terminal resolves the request for all clients, and a later answer is told so', async () => {
  const alice = await connect();
  await alice.prompt('touch two');
  const asked = await alice.pending();
  await session.live.screen.waitFor('Allow once');
  await session.live.screen.press('enter');

  expect(await alice.tool('EXECUTING')).toMatchObject({ metadata: { resolvedBy: { surface: 'tui' } } });
  expect(await alice.answer(asked['tool_call_id'], 'cancel')).toMatchObject({
    error: { code: -32050, data: { selected_option_id: 'proceed_once', resolvedBy: { surface: 'tui' } } },
  });
  await alice.state('completed');
  expect(existsSync(join(session.live.workspace, 'two.txt'))).toBe(true);
});

describe('its clients', () => {
  clientsOfASession({ connect, workspace: () => session.live.workspace });
});

test('a discovery file tells other programs of this user where the session is, and only them', async () => {
  const { pid } = await session.live.entry();
  const file = join(session.live.stateDir, 'sessions', `${pid}.json`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    workspace: session.live.workspace,
    sessionId: expect.any(String),
  });
});
