import type {
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentSkill,
  SecurityRequirement,
  SecurityScheme,
} from '@a2a-js/sdk';
import type { Wire } from '../shared/wire.js';
import { listOrNothing, orNothing } from './json.js';

/**
 * The card for v0.3 clients. It also lists the v1.0 interfaces, so clients of either version can read it. It is exactly the
 * card that the SDK makes, plus what only v0.3 can express. Pure.
 */
export function cardV03(card: AgentCard): Wire {
  const { name, description, version, defaultInputModes, defaultOutputModes, provider, skills, signatures } = card;
  const { capabilities, securitySchemes, securityRequirements, supportedInterfaces } = card;
  const [first, ...others] = supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '0.3');
  return {
    name,
    description,
    version,
    url: first?.url,
    preferredTransport: first?.protocolBinding,
    protocolVersion: first?.protocolVersion,
    capabilities: {
      streaming: capabilities?.streaming,
      pushNotifications: capabilities?.pushNotifications,
      stateTransitionHistory: true,
      extensions: capabilities?.extensions.map(toExtension),
    },
    defaultInputModes,
    defaultOutputModes,
    skills: skills.map(toSkill),
    additionalInterfaces: listOrNothing(others.map(toInterface)),
    provider,
    supportsAuthenticatedExtendedCard: capabilities?.extendedAgentCard,
    ...(Object.keys(securitySchemes).length > 0 && { securitySchemes: toSchemes(securitySchemes) }),
    security: listOrNothing(securityRequirements.map(toRequirement)),
    signatures: listOrNothing(signatures),
    supportedInterfaces,
  };
}

function toInterface({ url, protocolBinding }: AgentInterface): Wire {
  return { url, transport: protocolBinding };
}

function toExtension({ uri, description, required, params }: AgentExtension): Wire {
  return { uri, description: orNothing(description), required, params };
}

function toSkill({ id, name, description, tags, examples, inputModes, outputModes }: AgentSkill): Wire {
  return {
    id,
    name,
    description,
    tags,
    examples: listOrNothing(examples),
    inputModes: listOrNothing(inputModes),
    outputModes: listOrNothing(outputModes),
  };
}

function toRequirement({ schemes }: SecurityRequirement): Wire {
  return Object.fromEntries(Object.entries(schemes).map(([name, scopes]) => [name, scopes.list]));
}

function toSchemes(schemes: Readonly<Record<string, SecurityScheme>>): Wire {
  return Object.fromEntries(Object.entries(schemes).map(([name, { scheme }]) => [name, toScheme(scheme)]));
}

/** Handles the two kinds that `security.ts` makes. */
function toScheme(scheme: SecurityScheme['scheme']): Wire | undefined {
  if (scheme?.$case === 'openIdConnectSecurityScheme') {
    const { openIdConnectUrl, description } = scheme.value;
    return { type: 'openIdConnect', openIdConnectUrl, description: orNothing(description) };
  }
  if (scheme?.$case !== 'httpAuthSecurityScheme') return undefined;
  return { type: 'http', scheme: scheme.value.scheme, description: orNothing(scheme.value.description) };
}
