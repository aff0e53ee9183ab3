import { type Part, Role, type SendMessageRequest } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Confirmation } from '../../../dialects/shared/confirmation.js';
import { confirmationSchema } from '../../../dialects/shared/confirmation.js';
import { check } from '../../../dialects/shared/message.js';

/** A validated message of a client: a prompt, or answers to tool calls. */
export type A2AMessage = {
  readonly messageId: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly text: string;
  readonly confirmations: readonly Confirmation[];
};

export function readMessage({ message, configuration }: SendMessageRequest, inputModes: readonly string[]): A2AMessage {
  if (!message) throw new RequestMalformedError('message is required');
  const { messageId, taskId, contextId, parts, role } = message;
  if (messageId === '') throw new RequestMalformedError('message.messageId is required');
  if (role !== Role.ROLE_USER) throw new RequestMalformedError('message.role must be user');
  if (parts.length === 0) throw new RequestMalformedError('message.parts must have at least one part');
  for (const part of parts) checkPart(part, inputModes);
  checkLength(configuration?.historyLength);
  return {
    messageId,
    ...(taskId === '' ? {} : { taskId }),
    ...(contextId === '' ? {} : { contextId }),
    text: parts.flatMap(textOf).join('\n'),
    confirmations: parts.flatMap(confirmationOf),
  };
}

/** Undefined means everything, 0 means nothing. */
export function checkLength(historyLength: number | undefined): number | undefined {
  if (historyLength === undefined || (Number.isInteger(historyLength) && historyLength >= 0)) return historyLength;
  throw new RequestMalformedError(`historyLength must be a whole number from 0 on, got ${historyLength}`);
}

function checkPart({ content, mediaType }: Part, inputModes: readonly string[]): void {
  if (!content) throw new RequestMalformedError('every part needs text, raw, url or data');
  const isFile = content.$case === 'raw' || content.$case === 'url';
  if (isFile || (mediaType !== '' && !inputModes.includes(mediaType))) {
    const given = mediaType === '' ? content.$case : mediaType;
    throw new ContentTypeNotSupportedError(`${given} is not supported; send ${inputModes.join(' or ')}`);
  }
}

function textOf({ content }: Part): string[] {
  if (content?.$case === 'text') return [content.value];
  return content?.$case === 'data' && confirmationSchema(content.value) === undefined
    ? [JSON.stringify(content.value)]
    : [];
}

function confirmationOf({ content }: Part): Confirmation[] {
  const schema = content?.$case === 'data' ? confirmationSchema(content.value) : undefined;
  return schema && content ? [check(schema, content.value, 'the confirmation')] : [];
}
