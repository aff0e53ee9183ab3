import type { Flags, OptionsOf } from './flag.js';

/** Flags of the endpoint, whatever runs behind it: a terminal, another agent, or a server of many tasks. */
export const endpointFlags = {
  grpcPort: { name: '--grpc-port', type: 'port', value: 'port', help: 'serve A2A over gRPC too; 0 picks a free port' },
  pushAllow: {
    name: '--push-allow',
    type: 'addresses',
    value: 'url',
    isRepeatable: true,
    help: 'webhooks may be private at or below this address: same scheme, host, port, path segments',
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
  acpV2: {
    name: '--acp-v2',
    type: 'switch',
    help: 'ACP clients may speak version 2, a draft that changes: see docs/acp.md',
  },
} as const satisfies Flags;

export type EndpointFlags = OptionsOf<typeof endpointFlags>;

/** The endpoint's share of the options of a command, to be handed on as it is. */
export function endpointShare(options: EndpointFlags): EndpointFlags {
  const share = Object.entries(options).filter(([name]) => Object.hasOwn(endpointFlags, name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but its own options is left out
  return Object.fromEntries(share) as EndpointFlags;
}
