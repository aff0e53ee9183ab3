import type { Flags, OptionsOf } from './flag.js';
import { tlsFlags } from './tls-flags.js';

/** Flags that apply to every endpoint: a terminal's, another agent's, or that of a server of many tasks. */
export const endpointFlags = {
  grpcPort: { name: '--grpc-port', type: 'port', value: 'port', help: 'also serve A2A over gRPC; 0 picks a free port' },
  ...tlsFlags,
  publicUrl: {
    name: '--public-url',
    type: 'ownAddress',
    value: 'url',
    help: 'address behind a proxy or tunnel, for the agent card and links; may have a path: https://example.com/agents/',
  },
  pushAllow: {
    name: '--push-allow',
    type: 'addresses',
    value: 'url',
    isRepeatable: true,
    help: 'allow webhooks to private addresses at or below this URL: same scheme, host, port, path segments',
  },
  alertAllow: {
    name: '--alert-allow',
    type: 'addresses',
    value: 'url',
    isRepeatable: true,
    help: 'allow alerts of the page through push services at private addresses at or below this URL',
  },
  cardKey: {
    name: '--card-key',
    type: 'file',
    value: 'file',
    help: 'sign the agent card with this private key (PEM)',
  },
  turnEnd: {
    name: '--turn-end',
    type: 'text',
    value: 'state',
    choices: ['completed', 'input-required'],
    default: 'completed',
    help: 'how a turn ends for A2A clients: completed, or input-required if they continue the task',
  },
  noPage: {
    name: '--no-page',
    type: 'switch',
    help: 'serve no page to browsers',
  },
  acpV2: {
    name: '--acp-v2',
    type: 'switch',
    help: 'allow ACP clients to use version 2, a draft that may change: see docs/acp.md',
  },
} as const satisfies Flags;

export type EndpointFlags = OptionsOf<typeof endpointFlags>;

/** The endpoint's share of a command's options, to be passed on unchanged. */
export function endpointShare(options: EndpointFlags): EndpointFlags {
  const share = Object.entries(options).filter(([name]) => Object.hasOwn(endpointFlags, name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it keeps exactly the endpoint's own options
  return Object.fromEntries(share) as EndpointFlags;
}
