import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, say, think } from '../../../src/demo/reply.js';
import { goOn, scriptOf, twoLines } from '../../support/scripts.js';
import type { WireClient } from '../../support/wire-client.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];

/** What the model says in these tests. */
export const clientsScript = scriptOf({
  'touch one': shell('touch one.txt'),
  'touch two': shell('touch two.txt'),
  'touch three': shell('touch three.txt'),
  'touch four': shell('touch four.txt'),
  'say two lines': shell(twoLines),
  'think first': [think('Planning', 'look before you leap'), say('Thought about it.')],
});

export type SharedPlace = {
  /** One more client of the session. */
  readonly connect: (query?: string) => Promise<WireClient>;
  readonly workspace: () => string;
};

/** What clients of one session have in common, wherever it runs. */
export function clientsOfASession({ connect, workspace }: SharedPlace): void {
  test('[000-5.2.4] a client that says no cancels the call, and the tool does not run', async () => {
    const alice = await connect();
    await alice.prompt('touch three');
    const asked = await alice.pending();
    await alice.answer(asked['tool_call_id'], 'cancel');
    await alice.tool('CANCELLED');
    await alice.state('completed');
    expect(existsSync(join(workspace(), 'three.txt'))).toBe(false);
  });

  test('[000-4.1] output of a running command arrives in live_content, then its result', async () => {
    const alice = await connect();
    await alice.prompt('say two lines');
    await alice.answer((await alice.pending())['tool_call_id'], 'proceed_once');
    const running = await alice.find((event) => String(event['live_content']).includes('line 1'));
    expect(running['status']).toBe('EXECUTING');
    goOn(workspace());
    const done = await alice.tool('SUCCEEDED');
    expect(done['output']).toMatchObject({ text: expect.stringContaining('line 2') });
    await alice.state('completed');
  });

  test('[001-3] thoughts have a subject and a description', async () => {
    const alice = await connect();
    await alice.prompt('think first');
    await alice.state('completed');
    expect((await alice.kind('THOUGHT'))['content']).toEqual({
      subject: 'Planning',
      description: 'look before you leap',
    });
  });

  test('what one client says and how it is answered is received by every client, and one answer wins', async () => {
    const [alice, bob] = [await connect('?client=alice'), await connect('?client=bob')];
    await alice.prompt('touch two');
    const asked = await bob.pending();
    const answers = await Promise.all(
      [alice, bob].map((client) => client.answer(asked['tool_call_id'], 'proceed_once')),
    );
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
    for (const client of [alice, bob]) {
      await client.state('completed');
      expect(await client.kind('USER_MESSAGE')).toMatchObject({
        content: { text: 'touch two' },
        origin: { client: 'alice' },
      });
    }
    expect(alice.text).toBe(bob.text);
    expect(existsSync(join(workspace(), 'two.txt'))).toBe(true);
  });
}
