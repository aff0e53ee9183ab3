import type { ContentBlock } from '@agentclientprotocol/sdk/experimental/v2';
import { leftOut, promptText as v1PromptText } from '../acp/prompt.js';

/** A prompt as the text that a person would have typed. */
export function promptTextV2(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (isKnown(block) ? v1PromptText([block]) : leftOut(block.type))).join('');
}

type KnownBlock = Parameters<typeof v1PromptText>[0][number];

const known: readonly string[] = ['text', 'image', 'audio', 'resource_link', 'resource'] satisfies KnownBlock['type'][];

/** The SDK has checked the fields of the types it knows; they are the same as in version 1. */
function isKnown(block: ContentBlock): block is ContentBlock & KnownBlock {
  return known.includes(block.type);
}
