import type { LiveEndpointFlags } from '../cli/argv/live-flags.js';

/** The options that the launcher passes to the part of Cosession inside the Gemini CLI. */
export type LiveOptions = LiveEndpointFlags & {
  readonly port?: number;
  /** The CLI is the release that we ship, so we are responsible for its updates. */
  readonly isPinned: boolean;
  readonly stateDir: string;
  readonly version: string;
};

/** The environment variable that holds them. */
export const liveVariable = 'COSESSION_LIVE';

export function putLiveOptions(options: LiveOptions): Record<string, string> {
  return { [liveVariable]: JSON.stringify(options) };
}
