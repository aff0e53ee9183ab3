import type { ContentBlock } from '@agentclientprotocol/sdk';
import { unreachable } from '../../util/unreachable.js';

/** A prompt as the text that a person would have typed. */
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
      // Our capabilities do not offer these, so only a careless client sends them.
      return leftOut(block.type);
    default:
      return unreachable(block);
  }
}

export function leftOut(type: string): string {
  return `[${type} left out]`;
}

/** Mentions a file as users of the Gemini CLI do, with a backslash before characters that would end the path. */
function mention(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : `@${path.replaceAll(/[\s,()[\]{};|*?$`'"#&<>!~\\]/g, '\\$&')}`;
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file://') ? decodeURIComponent(new URL(uri).pathname) : undefined;
  } catch {
    // Not a valid URL.
    return undefined;
  }
}
