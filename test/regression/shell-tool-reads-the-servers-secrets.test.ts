import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { startLive } from '../support/live.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Writes down how every process from the tool up to this one was started: Linux shows that to all programs of a user. */
const lookUp = `
p=$$
while [ "$p" -ne ${process.pid} ]; do
  echo "process $p"
  tr '\\0' '\\n' < "/proc/$p/environ"
  tr '\\0' ' ' < "/proc/$p/cmdline"
  echo
  p=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$p/status")
done > seen.txt`;

const script = scriptOf({ look: [call('run_shell_command', { command: 'sh look-up.sh', description: 'look up' })] });
const model = await startModelServer(script);
afterAll(() => model.close());

const secrets = {
  GOOGLE_API_KEY: 'hush-google',
  AWS_SECRET_ACCESS_KEY: 'hush-aws',
  DATABASE_URL: 'postgres://user:hush-database@db.example/tasks',
  PGPASSWORD: 'hush-postgres',
  COSESSION_TOKEN: 'hush-ours',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hush-traces',
  HTTP_PROXY_OF_OURS: 'http://user:hush-proxy@proxy.example',
};
/** What is not known by its name either; an agent of another make is given such variables. */
const ownKey = { GEMINI_API_KEY: 'hush-gemini', HARMLESS_NAME: 'hush-whatever-it-is-called' };
/** Any flag will do: an address with a password is known by its form. */
const withPassword = ['--allow-tool', 'https://user:hush-argument@hooks.example'];

const cli = resolve('node_modules/@google/gemini-cli/bundle/gemini.js');
const agentNeeds = ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME', 'GEMINI_MODEL'];

test.each([
  { name: 'serve', args: [], env: ownKey },
  { name: 'serve --isolate', args: ['--isolate'], env: ownKey },
  {
    name: 'serve --engine',
    args: ['--engine', `"${process.execPath}" "${cli}" --acp`, ...agentNeeds.flatMap((each) => ['--engine-env', each])],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
  },
])('$name: a shell tool finds no secret of the server in the processes above it', async ({ args, env }) => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'look-up.sh'), lookUp);
  const served = await startServe({
    folder,
    modelUrl: model.url,
    args: [...args, ...withPassword],
    env: { ...secrets, ...env },
  });
  await runAllowed(served, 'look');
  const seen = readFileSync(join(workspace, 'seen.txt'), 'utf8');
  expect(seen).toContain(`process ${served.pid}\n`);
  expect(seen).toContain('PATH=');
  expect(seen.match(/hush-[\w-]+/g) ?? []).toEqual([]);
});

test('in the terminal: a shell tool does not find the key that signs the agent card', async () => {
  const cardKey = join(temporaryFolder(), 'card.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(cardKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const live = await startLive({
    script,
    args: ['--card-key', cardKey],
    inWorkspace: (folder) => writeFileSync(join(folder, 'look-up.sh'), lookUp),
  });
  try {
    const client = await live.connect();
    await client.prompt('look');
    const asked = await client.pending();
    await client.answer(asked['tool_call_id'], 'proceed_once');
    await client.state('completed');
    const seen = readFileSync(join(live.workspace, 'seen.txt'), 'utf8');
    expect(seen).toContain(`process ${live.screen.pid}\n`);
    expect(seen.includes('PRIVATE KEY')).toBe(false);
    client.close();
  } finally {
    await live.stop();
  }
});

async function runAllowed(served: ServeProcess, text: string): Promise<void> {
  const send = async (userMessage: object): Promise<Record<string, unknown>[]> => {
    const events = await eventsOf(await served.post('message/stream', { contextId: 'one', userMessage }));
    return events.map(({ data }) => data);
  };
  const asked = await send({ kind: 'text-content', text });
  const question = asked.find(({ kind }) => kind === 'tool-call-confirmation');
  const rest = await send({ kind: 'tool-call-confirmation', toolCallId: question?.['toolCallId'], approved: true });
  expect(rest.at(-1)).toMatchObject({ state: 'completed' });
}
