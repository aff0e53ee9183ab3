import type { LiveEndpointFlags } from '../cli/argv/live-flags.js';

/** What the launcher tells the part of Cosession that runs inside the Gemini CLI. */
export type LiveOptions = LiveEndpointFlags & {
  readonly port?: number;
  /** The CLI is the release we bring: updating it is our business. */
  readonly isPinned: boolean;
  readonly stateDir: string;
  readonly version: string;
};

/** The variable that holds them. */
export const liveVariable = 'COSESSION_LIVE';

export function putLiveOptions(options: LiveOptions): Record<string, string> {
  return { [liveVariable]: JSON.stringify(options) };
}
