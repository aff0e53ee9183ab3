import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startModelServer } from './model-server.js';
import type { Script as GeminiScript } from '../../src/demo/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { chatApi } from './chat-api.js';
import { nodeForCore } from './foreign-client.js';
import { messagesApi } from './messages-api.js';
import { responsesApi } from './responses-api.js';
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.js';
import { trustingEnvironment } from './trusting-home.js';

/** An agent that runs against a scripted model, which wants to run `shellCommand` for every prompt. */
export type OfflineAgent = {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  /** The mode in which it asks, when that is not the one it starts with. */
  readonly mode?: string;
  /** How often the model was asked, and what was in the newest request. */
  readonly requests: readonly object[];
  close(): Promise<void>;
};

/** What the model says before and after it has the tool run. */
export const [before, after] = ['I will run it. ', 'All done.'];
/** Every agent asks about a command that writes. */
export const shellCommand = 'echo one; sleep 0.2; echo two; touch made.txt';

export type AgentName = keyof typeof recipes | 'gemini';

/** Starts the model and says how to run the agent in `home`, which it may fill with its files. */
export async function offlineAgent(name: AgentName, home: string): Promise<OfflineAgent> {
  mkdirSync(home, { recursive: true });
  if (name === 'gemini') return geminiAgent(home);
  const { release, start, run } = recipes[name];
  const model = await start(script);
  const { command, env, mode }: ReturnType<Recipe['run']> = run(installAgent(release), model.url);
  return {
    command,
    env: { ...homeEnvironment(home), ...env },
    ...(mode === undefined ? {} : { mode }),
    requests: model.requests,
    close: () => model.close(),
  };
}

const script: Script = ({ tools, isAfterTool }) => {
  const shell = tools.find((tool) => /shell|bash|exec_command/i.test(tool));
  // Side questions, such as a title for the session, bring no tools.
  if (shell === undefined) return { text: 'a title' };
  if (isAfterTool) return { text: after };
  return { text: before, call: { name: shell, args: shell === 'exec_command' ? codexArgs : shellArgs } };
};

const shellArgs = { command: shellCommand, description: 'make a file' };
/** Codex asks when the model wants to leave the sandbox. */
const codexArgs = { cmd: shellCommand, sandbox_permissions: 'require_escalated', justification: 'make a file' };

/** Installs an agent into a folder that later runs find again. Returns that folder's `node_modules`. */
function installAgent(release: string): string {
  const folder = join(tmpdir(), `cosession-agents-${release.replace(/\W+/g, '-')}`);
  if (!existsSync(folder)) {
    const fresh = mkdtempSync(`${folder}-`);
    const quiet = ['--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...quiet, '--prefix', fresh, release], { stdio: ['ignore', 'ignore', 'inherit'] });
    try {
      renameSync(fresh, folder);
    } catch {
      // Another run was faster.
      rmSync(fresh, { recursive: true });
    }
  }
  return join(folder, 'node_modules');
}

const runsOnce: GeminiScript = ({ contents }) => {
  const isDone = contents.at(-1)?.parts.some((part) => part.functionResponse);
  return {
    chunks: isDone ? [[say(after)]] : [[say(before)], [call('run_shell_command', { command: shellCommand })]],
  };
};

/** The Gemini CLI as an agent, with a model of the test's own. */
export async function geminiAgent(home: string, said: GeminiScript = runsOnce): Promise<OfflineAgent> {
  const model = await startModelServer(said);
  const program = resolve('node_modules/@google/gemini-cli/bundle/gemini.js');
  return {
    command: `"${process.execPath}" "${program}" --acp`,
    env: { ...homeEnvironment(home), ...trustingEnvironment(home, model.url), GEMINI_CLI_NO_RELAUNCH: 'true' },
    requests: model.requests,
    close: () => model.close(),
  };
}

type Recipe = {
  /** The package, in the release that was tested. */
  readonly release: string;
  /** The model it can be pointed at. */
  readonly start: (script: Script) => Promise<ScriptedModel>;
  readonly run: (
    modules: string,
    modelUrl: string,
  ) => { readonly command: string; readonly env: Record<string, string>; readonly mode?: string };
};

const platform = `${process.platform}-${process.arch}`;
const chat: Recipe['start'] = (said) => startScriptedModel(chatApi, said);

const recipes = {
  goose: {
    release: `@aaif/goose-binary-${platform}@0.20.1`,
    start: chat,
    run: (modules, modelUrl) => ({
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
  },
  opencode: {
    release: `opencode-${platform}@1.18.33`,
    start: chat,
    run: (modules, modelUrl) => ({
      command: `"${join(modules, `opencode-${platform}/bin/opencode`)}" acp`,
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(modelUrl)) },
    }),
  },
  qwen: {
    release: '@qwen-code/qwen-code@0.15.10',
    start: chat,
    run: (modules, modelUrl) => ({
      command: `"${nodeForCore()}" "${join(modules, '@qwen-code/qwen-code/cli.js')}" --acp --auth-type openai`,
      env: { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake' },
    }),
  },
  claude: {
    release: '@agentclientprotocol/claude-agent-acp@0.49.0',
    start: (said) => startScriptedModel(messagesApi, said),
    run: (modules, modelUrl) => ({
      command: `"${process.execPath}" "${join(modules, '@agentclientprotocol/claude-agent-acp/dist/index.js')}"`,
      env: { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'none' },
    }),
  },
  codex: {
    release: '@agentclientprotocol/codex-acp@2.6.0',
    start: (said) => startScriptedModel(responsesApi, said),
    run: (modules, modelUrl) => ({
      command: `"${process.execPath}" "${join(modules, '@agentclientprotocol/codex-acp/dist/index.js')}"`,
      env: { CODEX_CONFIG: JSON.stringify(codexConfig(modelUrl)), FAKE_KEY: 'none' },
      // In its first mode a model of its own answers.
      mode: 'read-only',
    }),
  },
} as const satisfies Readonly<Record<string, Recipe>>;

function codexConfig(modelUrl: string) {
  const fake = { name: 'fake', base_url: `${modelUrl}/v1`, wire_api: 'responses', env_key: 'FAKE_KEY' };
  return { model: 'fake', model_provider: 'fake', model_providers: { fake } };
}

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
