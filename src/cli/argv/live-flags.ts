import { type EndpointFlags, endpointFlags } from './endpoint-flags.js';
import type { Flags, OptionsOf } from './flag.js';

/** Flags of `cosession` itself. All other arguments are passed to the Gemini CLI unchanged. */
export const liveFlags = {
  port: {
    name: '--a2a-port',
    type: 'port',
    value: 'port',
    help: 'serve A2A on this port; 0 picks a free one',
  },
  host: {
    name: '--a2a-host',
    type: 'text',
    value: 'address',
    default: '127.0.0.1',
    help: 'address to serve on; beyond loopback everybody needs a token, and you should add TLS',
  },
  requireToken: {
    name: '--a2a-require-token',
    type: 'switch',
    help: "refuse clients without the session's token (see cosession ls --json); browsers have to pair",
  },
  ...endpointFlags,
  demo: {
    name: '--demo',
    type: 'switch',
    help: 'use an offline scripted model: no key, no network, your settings stay untouched',
  },
  engine: {
    name: '--engine',
    type: 'text',
    value: 'command',
    help: 'run this ACP agent instead, e.g. "goose acp"; uses a free port unless --a2a-port is given',
  },
  engineMode: {
    name: '--engine-mode',
    type: 'text',
    value: 'id',
    help: 'id of the mode that the agent works in; the agent defines the ids',
  },
  geminiCli: {
    name: '--gemini-cli',
    type: 'text',
    value: 'path',
    help: 'use this installed Gemini CLI; "system" uses the one on your PATH',
  },
} as const satisfies Flags;

export type LiveFlags = OptionsOf<typeof liveFlags>;

/** The flags that configure the endpoint of one session. */
export type LiveEndpointFlags = EndpointFlags & Pick<LiveFlags, 'requireToken' | 'host'>;
