import { extensionUri } from './development-tool/extension.js';

export type CardOptions = { readonly url: string; readonly version: string; readonly requiresToken: boolean };

/** The A2A agent card (v0.3) of the live endpoint. Pure. */
export function agentCard({ url, version, requiresToken }: CardOptions) {
  return {
    protocolVersion: '0.3.0',
    name: 'Gemini CLI Agent',
    description: 'The Gemini CLI session that runs in a terminal on this machine, shared live by Cosession.',
    version,
    url,
    preferredTransport: 'WEBSOCKET',
    additionalInterfaces: [{ transport: 'WEBSOCKET', url: `${url.replace(/^http/, 'ws')}ws` }],
    provider: { organization: 'Cosession', url },
    capabilities: {
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: true,
      extensions: [
        {
          uri: extensionUri,
          description:
            'An extension for interactive development tasks, enabling features like code generation, tool usage, and real-time status updates.',
          required: false,
        },
      ],
    },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'code_generation',
        name: 'Code Generation',
        description:
          'Works on the code in the workspace: reads, edits, runs commands, and asks before it changes anything.',
        tags: ['code', 'development', 'programming'],
        examples: ['List the files in the current directory', 'Write a Python function to sort a list'],
        inputModes: ['text/plain'],
        outputModes: ['text/plain', 'application/json'],
      },
    ],
    ...(requiresToken
      ? { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, security: [{ bearer: [] }] }
      : {}),
    supportsAuthenticatedExtendedCard: false,
  };
}
