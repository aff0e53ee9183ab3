import { type EndpointFlags, endpointFlags } from './endpoint-flags.js';
import type { Flags, OptionsOf } from './flag.js';

/** Flags of `cosession` itself. Everything else on its command line goes to the Gemini CLI untouched. */
export const liveFlags = {
  port: {
    name: '--a2a-port',
    type: 'port',
    value: 'port',
    help: 'serve A2A on this port of 127.0.0.1; 0 picks a free one',
  },
  requireToken: {
    name: '--a2a-require-token',
    type: 'switch',
    help: "refuse clients without the session's token (see cosession ls --json)",
  },
  ...endpointFlags,
  demo: {
    name: '--demo',
    type: 'switch',
    help: 'offline scripted model: no key, no network, your settings are not touched',
  },
  engine: {
    name: '--engine',
    type: 'text',
    value: 'command',
    help: 'run this ACP agent instead, e.g. "goose acp"; without --a2a-port it gets a free port',
  },
  engineMode: {
    name: '--engine-mode',
    type: 'text',
    value: 'id',
    help: 'the mode the agent works in, by its own id',
  },
  geminiCli: {
    name: '--gemini-cli',
    type: 'text',
    value: 'path',
    help: 'use this installed Gemini CLI; "system" takes the one on your PATH',
  },
} as const satisfies Flags;

export type LiveFlags = OptionsOf<typeof liveFlags>;

/** Those that say something about the endpoint of one session. */
export type LiveEndpointFlags = EndpointFlags & Pick<LiveFlags, 'requireToken'>;
