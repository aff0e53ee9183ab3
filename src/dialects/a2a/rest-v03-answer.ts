import {
  AgentCard,
  type Artifact,
  type Message,
  type Part,
  Role,
  type Task,
  type TaskPushNotificationConfig,
  type TaskStatus,
  taskStateToJSON,
} from '@a2a-js/sdk';
import type { Wire } from '../shared/wire.js';
import { listOrNothing, orNothing } from './json.js';

/** v0.3 responses on HTTP+JSON, which are its protocol buffers as JSON: exactly the text that the SDK writes. Pure. */
export function toResultV03(result: Message | Task): Wire {
  return 'messageId' in result ? { message: toMessage(result) } : { task: toTaskV03(result) };
}

export function toTaskV03({ id, contextId, status, artifacts, history, metadata }: Task): Wire {
  return {
    id: orNothing(id),
    contextId: orNothing(contextId),
    status: status && toStatus(status),
    artifacts: listOrNothing(artifacts.map(toArtifact)),
    history: listOrNothing(history.map(toMessage)),
    metadata,
  };
}

export function toWebhookV03({ taskId, id, url, token, authentication }: TaskPushNotificationConfig): Wire {
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${id}`,
    pushNotificationConfig: {
      id: orNothing(id),
      url: orNothing(url),
      token: orNothing(token),
      authentication: authentication && {
        schemes: orNothing(authentication.scheme) && [authentication.scheme],
        credentials: orNothing(authentication.credentials),
      },
    },
  };
}

export function toWebhooksV03(configs: readonly TaskPushNotificationConfig[]): Wire {
  return { configs: listOrNothing(configs.map(toWebhookV03)) };
}

/** The protocol buffers of a card changed little between the versions. */
export function toCardV03(card: AgentCard): Wire {
  const [first, ...others] = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '0.3');
  const json: Wire = Object.assign({}, AgentCard.toJSON(card));
  const capabilities: Wire = Object.assign({}, json['capabilities']);
  return {
    ...json,
    protocolVersion: first?.protocolVersion,
    url: first?.url,
    preferredTransport: first?.protocolBinding,
    supportedInterfaces: undefined,
    additionalInterfaces: listOrNothing(
      others.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
    ),
    capabilities: { ...capabilities, extendedAgentCard: undefined },
    supportsAuthenticatedExtendedCard: card.capabilities?.extendedAgentCard || undefined,
    securityRequirements: undefined,
    security: json['securityRequirements'],
  };
}

function toStatus({ state, message, timestamp }: TaskStatus): Wire {
  const name = taskStateToJSON(state);
  // The only name that changed between the versions.
  return {
    state: name === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : name,
    message: message && toMessage(message),
    timestamp,
  };
}

function toMessage({ messageId, contextId, taskId, role, parts, metadata, extensions }: Message): Wire {
  return {
    messageId: orNothing(messageId),
    contextId: orNothing(contextId),
    taskId: orNothing(taskId),
    role: role === Role.ROLE_USER ? 'ROLE_USER' : 'ROLE_AGENT',
    content: listOrNothing(parts.map(toPart)),
    metadata,
    extensions: listOrNothing(extensions),
  };
}

function toArtifact({ artifactId, name, description, parts, metadata, extensions }: Artifact): Wire {
  return {
    artifactId: orNothing(artifactId),
    name: orNothing(name),
    description: orNothing(description),
    parts: listOrNothing(parts.map(toPart)),
    metadata,
    extensions: listOrNothing(extensions),
  };
}

function toPart({ content, mediaType }: Part): Wire {
  switch (content?.$case) {
    case 'text':
      return { text: content.value };
    case 'data': {
      // The SDK types it as `any`.
      const data: unknown = content.value;
      return { data: { data } };
    }
    case 'raw':
      return { file: { fileWithBytes: Buffer.from(content.value).toString('base64'), mimeType: orNothing(mediaType) } };
    case 'url':
      return { file: { fileWithUri: content.value, mimeType: orNothing(mediaType) } };
    default:
      return {};
  }
}
