import { expect, test } from 'vitest';
import { scriptOf } from '../support/scripts.js';
import { useLive } from '../support/use-live.js';

const session = useLive({ script: scriptOf({}), args: ['--prompt-interactive', 'the very first words'] });

test('a prompt that the terminal has before the hub is loaded is in the history, with its answer', async () => {
  await session.live.screen.waitFor('You said: the very first words');
  const client = await session.connect('?after=0');
  await client.state('completed');
  expect(client.seen.find(({ kind }) => kind === 'USER_MESSAGE')).toMatchObject({
    content: { text: 'the very first words' },
    origin: { surface: 'tui' },
  });
  expect(client.text).toBe('You said: the very first words');
});
