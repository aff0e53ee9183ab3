import type { ContentBlock } from '@agentclientprotocol/sdk';
import { unreachable } from '../../util/unreachable.js';

/** What a client sends as a prompt, as the text a person would have typed. */
export function promptText(blocks: readonly ContentBlock[]): string {
  return blocks.map(textOf).join('');
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return mention(block.uri);
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? `\n<context ref="${resource.uri}">\n${resource.text}\n</context>\n`
        : mention(resource.uri);
    }
    case 'image':
    case 'audio':
      // Not offered in our capabilities, so only a careless client sends them.
      return leftOut(block.type);
    default:
      return unreachable(block);
  }
}

export function leftOut(type: string): string {
  return `[${type} left out]`;
}

/** Files are mentioned as the Gemini CLI's own users do it. */
function mention(uri: string): string {
  if (!uri.startsWith('file://') || !URL.canParse(uri)) return uri;
  return `@${decodeURI(new URL(uri).pathname).replaceAll(' ', '\\ ')}`;
}
