import type { AgentCard, AgentInterface } from '@a2a-js/sdk';
import type { SecurityScheme } from '../../domain/security-scheme.js';
import { extensionUri } from '../development-tool/extension.js';
import { pushAllUri } from './push-all.js';
import { securityOf } from './security.js';

export type CardOptions = {
  /** The URL of the server, with a trailing slash. */
  readonly url: string;
  /** `host:port`, when gRPC is served. */
  readonly grpcHost?: string;
  readonly version: string;
  /** Every request needs a token. */
  readonly isClosed: boolean;
  /** Ways to authenticate other than the session token. */
  readonly security: readonly SecurityScheme[];
  readonly hasExtendedCard: boolean;
  readonly acpVersions: readonly number[];
  readonly name: string;
  readonly description: string;
};

/** Names the WebSocket of the endpoint as a custom binding (A2A 12). */
const webSocketBinding = 'https://github.com/google-gemini/gemini-cli/a2a/bindings/websocket/v1';

/**
 * Shows editors where the same sessions speak the Agent Client Protocol. It is what A2A calls a data-only extension, and not
 * an interface, because interfaces speak A2A.
 */
const acpUri = 'https://agentclientprotocol.com';

/** The agent card in v1.0, as an object of the SDK; v0.3 clients get a translation. Pure. */
export function agentCard(options: CardOptions): AgentCard {
  const { url, grpcHost, version, isClosed, security, hasExtendedCard, acpVersions, name, description } = options;
  const bindings = [
    { url, protocolBinding: 'JSONRPC' },
    { url: `${url}a2a/rest`, protocolBinding: 'HTTP+JSON' },
    ...(grpcHost === undefined ? [] : [{ url: grpcHost, protocolBinding: 'GRPC' }]),
  ];
  const at = (protocolVersion: string): AgentInterface[] =>
    bindings.map((binding) => ({ ...binding, tenant: '', protocolVersion }));
  const webSocketUrl = url.replace(/^http/, 'ws');
  const socket = {
    url: `${webSocketUrl}ws`,
    protocolBinding: webSocketBinding,
    tenant: '',
    protocolVersion: '1.0',
  };
  return {
    name,
    description,
    version,
    supportedInterfaces: [...at('1.0'), ...at('0.3'), socket],
    provider: { organization: 'Cosession', url },
    documentationUrl: undefined,
    iconUrl: undefined,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: hasExtendedCard,
      extensions: [
        {
          uri: extensionUri,
          description:
            'An extension for interactive development tasks, enabling features like code generation, tool usage, and real-time status updates.',
          required: false,
          params: undefined,
        },
        {
          uri: pushAllUri,
          description: 'Webhooks registered by a request that names this extension receive every update of the task.',
          required: false,
          params: undefined,
        },
        {
          uri: acpUri,
          description: 'The same sessions for clients of the Agent Client Protocol, such as editors.',
          required: false,
          params: { url: `${url}acp`, webSocketUrl: `${webSocketUrl}acp`, protocolVersions: [...acpVersions] },
        },
      ],
    },
    ...securityOf(security, isClosed),
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'code_generation',
        name: 'Code Generation',
        description:
          'Works on the code in the workspace: reads, edits, runs commands, and asks before it changes anything.',
        tags: ['code', 'development', 'programming'],
        examples: ['List the files in the current directory', 'Write a Python function to sort a list'],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}
