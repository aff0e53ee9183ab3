import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { ArtifactPart, LogLevel } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';

export type TextBlock = { type: 'text'; text: string };

export function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

export function thoughtBlock(subject: string, description: string): TextBlock {
  return textBlock(subject === '' ? description : `**${subject}**\n${description}`);
}

export function partBlock(part: ArtifactPart): ContentBlock {
  switch (part.kind) {
    case 'text':
      return textBlock(part.text);
    case 'data':
      return textBlock(`\`\`\`json\n${JSON.stringify(part.data, undefined, 2)}\n\`\`\``);
    case 'link':
      return { type: 'resource_link', name: part.name, uri: part.url, mimeType: part.mediaType };
    case 'file': {
      const resource = {
        uri: `artifact:${encodeURIComponent(part.name)}`,
        mimeType: part.mediaType,
        blob: part.base64,
      };
      return { type: 'resource', resource };
    }
    default:
      return unreachable(part);
  }
}

/** How serious a notice is. */
export const severities = { debug: 'info', info: 'info', warn: 'warning', error: 'error' } as const satisfies Record<
  LogLevel,
  string
>;
