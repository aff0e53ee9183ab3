import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { demoEnvironment } from '../../src/demo/demo-home.js';
import { startModelServer } from '../../src/demo/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { type ChatReply, startChatServer } from './openai-server.js';

/** An agent that runs against a scripted model, which wants to run `shellCommand` for every prompt. */
export type OfflineAgent = {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  /** How often the model was asked, and what was in the newest request. */
  readonly requests: readonly object[];
  close(): Promise<void>;
};

/** What the model says before and after it has the tool run. */
export const [before, after] = ['I will run it. ', 'All done.'];
/** Every agent asks about a command that writes. */
export const shellCommand = 'echo one; sleep 0.2; echo two; touch made.txt';

export type AgentName = 'gemini' | 'goose' | 'opencode' | 'qwen';

/** Starts the model and says how to run the agent in `home`, which it may fill with its files. */
export function offlineAgent(name: AgentName, home: string): Promise<OfflineAgent> {
  mkdirSync(home, { recursive: true });
  return name === 'gemini' ? gemini(home) : overChat(name, home);
}

const platform = `${process.platform}-${process.arch}`;

/** The package of each agent, in the release that was tested. */
const packages = {
  goose: `@aaif/goose-binary-${platform}@0.20.1`,
  opencode: `opencode-${platform}@1.18.33`,
  qwen: '@qwen-code/qwen-code@0.15.10',
} as const;

/** Installs an agent into a folder that later runs find again. Returns that folder's `node_modules`. */
function installAgent(name: keyof typeof packages): string {
  const folder = join(tmpdir(), `cosession-agents-${packages[name].replace(/\W+/g, '-')}`);
  if (!existsSync(folder)) {
    const fresh = mkdtempSync(`${folder}-`);
    const quiet = ['--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...quiet, '--prefix', fresh, packages[name]], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      renameSync(fresh, folder);
    } catch {
      // Another run was faster.
      rmSync(fresh, { recursive: true });
    }
  }
  return join(folder, 'node_modules');
}

async function gemini(home: string): Promise<OfflineAgent> {
  const model = await startModelServer(({ contents }) => {
    const isDone = contents.at(-1)?.parts.some((part) => part.functionResponse);
    return {
      chunks: isDone ? [[say(after)]] : [[say(before)], [call('run_shell_command', { command: shellCommand })]],
    };
  });
  const program = resolve('node_modules/@google/gemini-cli/bundle/gemini.js');
  return {
    command: `"${process.execPath}" "${program}" --acp`,
    env: { ...homeEnvironment(home), ...demoEnvironment(home, model.url), GEMINI_CLI_NO_RELAUNCH: 'true' },
    requests: model.requests,
    close: () => model.close(),
  };
}

async function overChat(name: keyof typeof packages, home: string): Promise<OfflineAgent> {
  const model = await startChatServer(({ messages, tools }): ChatReply => {
    const shell = tools?.find((tool) => /shell|bash/i.test(tool.function.name))?.function.name;
    // Side questions, such as a title for the session, bring no tools.
    if (shell === undefined) return { text: 'a title' };
    if (messages.at(-1)?.role === 'tool') return { text: after };
    return { text: before, call: { name: shell, args: { command: shellCommand, description: 'make a file' } } };
  });
  const { command, env } = recipes[name](installAgent(name), model.url);
  return { command, env: { ...homeEnvironment(home), ...env }, requests: model.requests, close: () => model.close() };
}

type Recipe = (modules: string, modelUrl: string) => { command: string; env: Record<string, string> };

const recipes: Readonly<Record<keyof typeof packages, Recipe>> = {
  goose: (modules, modelUrl) => ({
    command: `"${join(modules, `@aaif/goose-binary-${platform}/bin/goose`)}" acp --with-builtin developer`,
    env: {
      GOOSE_PROVIDER: 'openai',
      GOOSE_MODEL: 'fake',
      GOOSE_MODE: 'approve',
      GOOSE_DISABLE_KEYRING: '1',
      OPENAI_HOST: modelUrl,
      OPENAI_API_KEY: 'none',
    },
  }),
  opencode: (modules, modelUrl) => ({
    command: `"${join(modules, `opencode-${platform}/bin/opencode`)}" acp`,
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(modelUrl)) },
  }),
  qwen: (modules, modelUrl) => ({
    command: `"${process.execPath}" "${join(modules, '@qwen-code/qwen-code/cli.js')}" --acp --auth-type openai`,
    env: { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake' },
  }),
};

function opencodeConfig(modelUrl: string) {
  const options = { baseURL: `${modelUrl}/v1`, apiKey: 'none' };
  return {
    model: 'fake/fake',
    provider: { fake: { npm: '@ai-sdk/openai-compatible', options, models: { fake: {} } } },
    permission: { bash: 'ask' },
    autoupdate: false,
    share: 'disabled',
  };
}

/** Nothing of the user's own settings. */
function homeEnvironment(home: string): NodeJS.ProcessEnv {
  const folder = (name: string): string => join(home, name);
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: folder('config'),
    XDG_DATA_HOME: folder('data'),
    XDG_STATE_HOME: folder('state'),
    XDG_CACHE_HOME: folder('cache'),
  };
}
