import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Long enough to be worth compiling again, for V8. */
const lines = Array.from({ length: 200 }, (_, index) => `for i in a b; do echo "$i ${index}" && true; done`);

/**
 * Core parses shell commands with WebAssembly. V8 compiles it once to run it, and would compile it again in the background
 * to make it faster: the end of the process waited for that, up to 15 s on a busy machine. V8's own trace says what it did.
 */
test('after a shell command was parsed nothing is compiled that the end of the server would wait for', async () => {
  const model = await startModelServer(scriptOf({ tool: [call('run_shell_command', { command: lines.join('; ') })] }));
  const folder = temporaryFolder();
  const served = await startServe({
    folder,
    modelUrl: model.url,
    args: ['--allow-tool', 'run_shell_command'],
    env: { NODE_OPTIONS: tracing(folder) },
  });
  const prompt = { contextId: 'one', userMessage: { kind: 'text-content', text: 'tool' } };
  const events = await eventsOf(await served.post('message/stream', prompt));
  expect(events.at(-1)?.data).toMatchObject({ state: 'completed' });
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
  await model.close();

  const names = namesTraced(folder, served.pid);
  expect(names).toContain('wasm.CompileBaseline');
  expect(names).not.toContain('wasm.TopTierCompilation');
});

/** One file per process: a tool of the server may be Node, too. */
function tracing(folder: string): string {
  const category = 'v8.wasm,disabled-by-default-v8.wasm.detailed';
  return `--trace-event-categories=${category} --trace-event-file-pattern=${folder}/trace-\${pid}.json`;
}

function namesTraced(folder: string, pid: number): readonly string[] {
  const trace = readFileSync(join(folder, `trace-${pid}.json`), 'utf8');
  const { traceEvents } = JSON.parse(trace) as { traceEvents: { name: string }[] };
  return traceEvents.map(({ name }) => name);
}
