import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, say } from '../../src/demo/reply.js';
import { type Live, readyPrompt, startLive } from './live.js';
import { goOn, scriptOf, twoLines } from './scripts.js';
import { until } from './until.js';
import type { WireClient, WireEvent } from './wire-client.js';

/** What attaching to a Gemini CLI promises, one promise at a time. Checks share one running CLI and leave it idle. */
export type AttachCheck = {
  /** Short, for the table of `npm run compat`. */
  readonly name: string;
  readonly promise: string;
  readonly run: (live: Live) => Promise<void>;
};

export type CheckResult = { readonly name: string; readonly error?: unknown };

/** Runs every check against a Gemini CLI: the pinned one, or the one at a path. */
export async function runAttachContract(geminiCli?: string): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  let live: Live | undefined;
  try {
    for (const { name, run } of attachChecks) {
      live ??= await startForContract(geminiCli);
      const result = await run(live).then(
        () => ({ name }),
        (error: unknown) => ({ name, error }),
      );
      results.push(result);
      if (!('error' in result)) continue;
      if (results.length === 1) break;
      // The next check gets a CLI of its own: one that failed may have left a dialog open.
      await live.stop();
      live = undefined;
    }
  } finally {
    await live?.stop();
  }
  return results;
}

export function startForContract(geminiCli?: string): Promise<Live> {
  return startLive({ script, ...(geminiCli === undefined ? {} : { geminiCli }) });
}

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];

const script = scriptOf({
  'touch one': shell('touch one.txt'),
  'touch two': shell('touch two.txt'),
  'write a note': [call('write_file', { file_path: 'note.txt', content: 'as the model wrote it\n' })],
  'say two lines': shell(twoLines),
  // The second part never comes: only a cancel ends this turn.
  'talk forever': { chunks: [[say('It began.')], [say('It ended.')]], holdLast: new Promise(() => {}) },
});

export const attachChecks: readonly AttachCheck[] = [
  {
    name: 'endpoint',
    promise: 'the endpoint opens and the terminal says where',
    async run(live) {
      const { screen } = live;
      await screen.waitFor(/A2A endpoint on http:\/\/127\.0\.0\.1:\d+\//);
      await screen.waitFor(readyPrompt);
      const { port } = await live.entry();
      await screen.waitFor(`A2A endpoint on http://127.0.0.1:${port}/`);
      const card = await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`);
      assert.equal(card.status, 200);
    },
  },
  {
    name: 'client prompt',
    promise: 'a prompt of a client shows as [A2A] in the terminal and is answered, and the model does not see the mark',
    run: withClient(async (client, { screen, model }) => {
      await client.prompt('hello from a client');
      await client.state('completed');
      assert.equal(client.text, 'You said: hello from a client');
      await screen.waitFor('[A2A] hello from a client');
      await screen.waitFor('You said: hello from a client');
      assert.doesNotMatch(JSON.stringify(model.requests), /\[A2A\]/);
    }),
  },
  {
    name: 'typed prompt',
    promise: 'a prompt typed in the terminal reaches clients with its origin, and so does its answer',
    run: withClient(async (client, { screen }) => {
      await screen.submit('typed in the terminal');
      const said = await client.kind('USER_MESSAGE');
      assert.deepEqual(said['content'], { text: 'typed in the terminal' });
      assert.equal(field(said['origin'], 'surface'), 'tui');
      await client.state('completed');
      assert.equal(client.text, 'You said: typed in the terminal');
    }),
  },
  {
    name: 'approval',
    promise: 'a shell command asks clients with the options of the dialog; a client allows it and the dialog closes',
    run: withClient(async (client, live) => {
      await client.prompt('touch one');
      const asked = await client.pending();
      assert.equal(asked['status'], 'PENDING');
      const { ids } = await sameOptionsAsDialog(asked, live);
      assert.ok(ids.includes('proceed_once') && ids.includes('cancel'), `options: ${ids.join(' ')}`);
      await allow(client, asked);
      await live.screen.waitUntilGone('Allow once');
      await client.tool('SUCCEEDED');
      await client.state('completed');
      assert.ok(existsSync(join(live.workspace, 'one.txt')), 'the command ran');
    }),
  },
  {
    name: 'terminal answer',
    promise: 'an answer in the terminal is reported as such, and a later one of a client is refused',
    run: withClient(async (client, live) => {
      await client.prompt('touch two');
      const asked = await client.pending();
      await sameOptionsAsDialog(asked, live);
      await live.screen.press('enter');
      const executing = await client.tool('EXECUTING');
      assert.equal(field(executing['metadata'], 'resolvedBy', 'surface'), 'tui');
      const late = await client.answer(asked['tool_call_id'], 'cancel');
      assert.equal(field(late['error'], 'code'), -32050);
      assert.equal(field(late['error'], 'data', 'selected_option_id'), 'proceed_once');
      await client.state('completed');
      assert.ok(existsSync(join(live.workspace, 'two.txt')), 'the command ran');
    }),
  },
  {
    name: 'edit',
    promise: 'a client that approves an edit with new content has that content written',
    run: withClient(async (client, live) => {
      await client.prompt('write a note');
      const asked = await client.pending();
      await sameOptionsAsDialog(asked, live);
      const proposed = field(asked['confirmation_request'], 'details', 'file_edit_details', 'new_content');
      assert.equal(proposed, 'as the model wrote it\n');
      await allow(client, asked, { file_details: { new_content: 'as the client wrote it\n' } });
      await client.tool('SUCCEEDED');
      await client.state('completed');
      assert.equal(readFileSync(join(live.workspace, 'note.txt'), 'utf8'), 'as the client wrote it\n');
    }),
  },
  {
    name: 'live output',
    promise: 'output of a running command arrives while it runs',
    run: withClient(async (client, { workspace }) => {
      await client.prompt('say two lines');
      await allow(client, await client.pending());
      const running = await client.find(({ live_content }) => String(live_content).includes('line 1'));
      assert.equal(running['status'], 'EXECUTING');
      goOn(workspace);
      const done = await client.tool('SUCCEEDED');
      assert.match(String(field(done['output'], 'text')), /line 2/);
      await client.state('completed');
    }),
  },
  {
    name: 'cancel',
    promise: 'a client cancels a turn, and the terminal stops it',
    run: withClient(async (client, { screen }) => {
      await client.prompt('talk forever');
      await client.kind('TEXT_CONTENT');
      await client.call('tasks/cancel');
      await client.state('canceled');
      await screen.waitFor('Request cancelled');
    }),
  },
  {
    name: '/a2a',
    promise: '/a2a typed in the terminal shows the status',
    run: withClient(async (_client, { screen }) => {
      screen.type('/a2a');
      // Enter takes the first suggestion, and the CLI first suggests every command, page by page.
      await until(() => screen.text.includes('Share this session') && !/\(\d+\/\d+\)/.test(screen.text));
      await screen.press('enter');
      await screen.waitFor(/A2A endpoint on \S+ · 1 client: /);
    }),
  },
  {
    name: 'plain text',
    promise: '"/quit" as a prompt of a client is text for the model, and the program goes on',
    run: withClient(async (client, { screen }) => {
      await client.prompt('/quit');
      await client.state('completed');
      assert.equal(client.text, 'You said: /quit');
      await screen.waitFor('[A2A] /quit');
      assert.equal(screen.exitCode, undefined);
    }),
  },
  {
    name: 'commands',
    promise: 'the slash commands of the CLI are listed',
    run: withClient(async (client) => {
      const { result } = await client.call('commands/get');
      const commands = field(result, 'commands') as { name: string; description: string }[];
      const names = commands.map(({ name }) => name);
      for (const name of ['about', 'help', 'stats', 'tools'])
        assert.ok(names.includes(name), `no /${name} in ${names.join(' ')}`);
      assert.ok(!names.includes('quit'), 'clients may not end the program');
    }),
  },
];

function withClient(run: (client: WireClient, live: Live) => Promise<void>): AttachCheck['run'] {
  return async (live) => {
    await live.screen.waitFor(readyPrompt);
    const client = await live.connect();
    try {
      await run(client, live);
    } catch (error) {
      const { exitCode, text } = live.screen;
      if (exitCode === undefined) throw error;
      throw new Error(`the program ended (${exitCode})\n--- screen ---\n${text}\n---`, { cause: error });
    } finally {
      client.close();
    }
  };
}

async function allow(client: WireClient, asked: WireEvent, more: object = {}): Promise<void> {
  const { result } = await client.answer(asked['tool_call_id'], 'proceed_once', more);
  assert.equal(field(result, 'accepted'), true);
}

/** Waits for the dialog; a client was sent the names of its numbered lines in the same order, but for the terminal's editor. */
async function sameOptionsAsDialog(asked: WireEvent, { screen }: Live): Promise<{ ids: string[] }> {
  const options = field(asked['confirmation_request'], 'options') as { id: string; name: string }[];
  const shown = (): string[] => [...screen.text.matchAll(/^\W*\d+\. (.*?)[\s│]*$/gm)].map(([, name = '']) => name);
  await until(() => shown().some((name) => name.startsWith('No, ')));
  assert.deepEqual(
    options.map(({ name }) => name),
    shown().filter((name) => name !== 'Modify with external editor'),
  );
  return { ids: options.map(({ id }) => id) };
}

function field(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
