import { hideStart } from './hide-start.js';

/** What the launcher tells the part of Cosession that runs inside the Gemini CLI. */
export type LiveOptions = {
  readonly port?: number;
  readonly grpcPort?: number;
  readonly requireToken: boolean;
  readonly pushAllow: readonly string[];
  /** The text of the key that signs the agent card. */
  readonly cardKey?: string;
  readonly turnEnd?: 'completed' | 'input-required';
  readonly acpV2: boolean;
  /** The CLI is the release we bring: updating it is our business. */
  readonly isPinned: boolean;
  readonly stateDir: string;
  readonly version: string;
};

const variable = 'COSESSION_LIVE';

export function putLiveOptions(options: LiveOptions): Record<string, string> {
  return { [variable]: JSON.stringify(options) };
}

/** Reads the options and removes them, so that tools the CLI starts see them neither in their environment nor in the CLI's. */
export function takeLiveOptions(env: NodeJS.ProcessEnv): LiveOptions | undefined {
  const json = env[variable];
  delete env[variable];
  hideStart(env, { variable: (name) => name !== variable, argument: () => true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our own launcher
  return json === undefined ? undefined : (JSON.parse(json) as LiveOptions);
}
