import type { Message } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { extensionUri } from '../../../dialects/development-tool/extension.js';

/** The extension's URI with any version in it. */
const anyVersion = new RegExp(
  `^${extensionUri.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('/v0/', '/v(\\d+)[^/]*/')}$`,
);

/** Whether the request names the development-tool extension: in a header, in the message, or by its metadata. */
export function isNamed(context: ServerCallContext, message: Message | undefined): boolean {
  const named = [
    ...(context.requestedExtensions ?? []),
    ...(message?.extensions ?? []),
    ...Object.keys(message?.metadata ?? {}),
  ];
  for (const uri of named) checkVersion(uri);
  return named.includes(extensionUri);
}

/** Semantic versioning: another major version is another contract. */
function checkVersion(uri: string): void {
  const major = anyVersion.exec(uri)?.[1];
  if (major === undefined || major === '0') return;
  throw new UnsupportedOperationError({
    message: `version v${major} of the development-tool extension is not supported; this agent speaks v0: ${extensionUri}`,
    metadata: { supported: extensionUri },
  });
}
