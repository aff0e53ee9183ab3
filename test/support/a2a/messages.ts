import { type Json, nextId, type Outgoing, type Webhook } from './transport.js';

const file = Buffer.from('file').toString('base64');

export function toNew(message: Outgoing): Json {
  const { text, data, file: mediaType } = message;
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...(data === undefined ? [] : [{ data }]),
    ...(mediaType === undefined ? [] : [{ raw: file, mediaType }]),
  ];
  return { ...ids(message), role: 'ROLE_USER', parts };
}

export function toOld(message: Outgoing): Json {
  const { text, data, file: mimeType } = message;
  const parts = [
    ...(text === undefined ? [] : [{ kind: 'text', text }]),
    ...(data === undefined ? [] : [{ kind: 'data', data }]),
    ...(mimeType === undefined ? [] : [{ kind: 'file', file: { bytes: file, mimeType } }]),
  ];
  return { kind: 'message', ...ids(message), role: 'user', parts };
}

/** The form of v0.3's protocol buffers, as JSON. */
export function toOldProto(message: Outgoing): Json {
  const { text, data, file: mimeType } = message;
  const content = [
    ...(text === undefined ? [] : [{ text }]),
    ...(data === undefined ? [] : [{ data: { data } }]),
    ...(mimeType === undefined ? [] : [{ file: { fileWithBytes: file, mimeType } }]),
  ];
  return { ...ids(message), role: 'ROLE_USER', content };
}

function ids({ messageId = nextId(), taskId, contextId, metadata }: Outgoing): Json {
  return {
    messageId,
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function toNewWebhook({ scheme, credentials = '', ...rest }: Webhook): Json {
  return { ...rest, ...(scheme === undefined ? {} : { authentication: { scheme, credentials } }) };
}

export function toOldWebhook({ scheme, credentials = '', ...rest }: Webhook): Json {
  return { ...rest, ...(scheme === undefined ? {} : { authentication: { schemes: [scheme], credentials } }) };
}

/** Of any version: v0.3 has it in an object of its own. */
export function webhookOf(given: Json): Webhook {
  const config = (given['pushNotificationConfig'] ?? given) as {
    id?: string;
    url?: string;
    token?: string;
    authentication?: { scheme?: string; schemes?: string[]; credentials?: string };
  };
  const { id = '', url = '', token, authentication } = config;
  const scheme = authentication?.scheme ?? authentication?.schemes?.[0];
  const credentials = authentication?.credentials;
  return {
    id,
    url,
    ...(token === undefined || token === '' ? {} : { token }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(credentials === undefined || credentials === '' ? {} : { credentials }),
  };
}
