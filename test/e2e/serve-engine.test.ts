import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { after, before, offlineAgent } from '../support/acp-agents.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

async function all(served: ServeProcess, contextId: string, userMessage: object): Promise<Record<string, unknown>[]> {
  const events = await eventsOf(await served.post('message/stream', { contextId, userMessage }));
  return events.map(({ data }) => data);
}

const textOf = (events: readonly Record<string, unknown>[]) =>
  events.map(({ kind, text }) => (kind === 'text-content' ? String(text) : '')).join('');

test('an agent does not outlive a server that is killed', async () => {
  const folder = temporaryFolder();
  const agent = await offlineAgent('goose', join(folder, 'agent'));
  const env = Object.fromEntries(Object.entries(agent.env).map(([name, value]) => [name, value ?? '']));
  const args = ['--engine', agent.command, '--engine-env', 'OPENAI_API_KEY', '--engine-env', 'OPENAI_HOST'];
  const served = await startServe({ folder, modelUrl: 'http://127.0.0.1:9', args, env });
  await all(served, 'one', { kind: 'text-content', text: 'make a file' });
  const started = readFileSync(`/proc/${served.pid}/task/${served.pid}/children`, 'utf8').trim().split(' ');
  expect(started.some((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('goose'))).toBe(true);
  served.kill('SIGKILL');
  await until(() => started.every((pid) => !existsSync(`/proc/${pid}`)));
  await agent.close();
});

test('serve --engine: goose behind the routes of the server, with approvals, and it remembers after a restart', async () => {
  const folder = temporaryFolder();
  const agent = await offlineAgent('goose', join(folder, 'agent'));
  const secrets = Object.keys(agent.env).filter((name) => name.startsWith('OPENAI_'));
  const args = ['--engine', agent.command, ...secrets.flatMap((name) => ['--engine-env', name])];
  const env = Object.fromEntries(Object.entries(agent.env).map(([name, value]) => [name, value ?? '']));
  const start = (): Promise<ServeProcess> => startServe({ folder, modelUrl: 'http://127.0.0.1:9', args, env });
  try {
    const served = await start();
    const asked = await all(served, 'one', { kind: 'text-content', text: 'make a file' });
    expect(asked.at(-1)).toMatchObject({ kind: 'state-change', state: 'input-required' });
    const question = asked.find(({ kind }) => kind === 'tool-call-confirmation');
    const approved = { kind: 'tool-call-confirmation', toolCallId: question?.['toolCallId'], approved: true };
    const rest = await all(served, 'one', approved);
    expect(rest.at(-1)).toMatchObject({ state: 'completed' });
    expect(textOf([...asked, ...rest])).toBe(before + after);
    expect(existsSync(join(folder, 'workspace', 'made.txt'))).toBe(true);
    served.kill('SIGTERM');
    expect(await served.exit).toBe(0);

    const again = await start();
    const next = await all(again, 'one', { kind: 'text-content', text: 'and another' });
    expect(next.at(-1)).toMatchObject({ state: 'input-required' });
    expect(JSON.stringify(agent.requests.at(-1))).toContain('make a file');
    again.kill('SIGTERM');
    expect(await again.exit).toBe(0);
  } finally {
    await agent.close();
  }
});
