import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { say } from '../../src/demo/reply.js';
import { type Live, type LiveOptions, readyPrompt, startLive } from '../support/live.js';
import type { WireClient } from '../support/wire-client.js';

const script: LiveOptions['script'] = () => ({ chunks: [[say('One, ')], [say('two, ')], [say('three.')]] });

test('a cursor of a session that crashed is not taken for one of the session that resumed it', async () => {
  const first = await start({ script });
  const { pid, sessionId } = await first.entry();
  const before = await first.connect();
  await promptAndWait(before, 'hello');
  const cursor = Math.max(...before.seen.map(({ seq }) => seq ?? 0));
  expect(cursor).toBeLessThan(1000);
  process.kill(pid, 'SIGKILL');
  await first.screen.waitForExit();
  // What the first one left would be found in place of the second.
  rmSync(join(first.stateDir, 'sessions'), { recursive: true });

  const second = await start({ script, folder: first.folder, args: ['--resume', 'latest'] });
  expect((await second.entry()).sessionId).toBe(sessionId);
  const writer = await second.connect();
  await promptAndWait(writer, 'and again');
  const newest = Math.max(...writer.seen.map(({ seq }) => seq ?? 0));

  const back = await second.connect(`?after=${cursor}`);
  expect(await back.kind('RESYNC_REQUIRED')).toMatchObject({ taskId: sessionId });
  expect(await back.kind('SNAPSHOT')).toMatchObject({ seq: newest, state: 'completed' });

  const stream = await fetch(`${await second.url()}tasks/${sessionId}/messages/stream?after=${cursor}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: { content: { text: 'and again' } } }),
  });
  expect(stream.status).toBe(410);

  const fromStart = await second.connect('?after=0');
  await fromStart.find(({ kind, content }) => kind === 'USER_MESSAGE' && isText(content, 'and again'));
  expect(fromStart.seen.map(({ kind }) => kind)).not.toContain('RESYNC_REQUIRED');
});

async function start(options: LiveOptions): Promise<Live> {
  const live = await startLive(options);
  onTestFinished(() => live.stop());
  await live.screen.waitFor(readyPrompt);
  return live;
}

async function promptAndWait(client: WireClient, text: string): Promise<void> {
  await client.prompt(text);
  await client.state('completed');
}

function isText(content: unknown, text: string): boolean {
  return JSON.stringify(content) === JSON.stringify({ text });
}
