import type { Script } from '../../src/demo/model-server.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import type { Part, Reply } from '../../src/demo/reply.js';

/** A model that answers by the first matching line; after a tool ran it says `then`. */
export function scriptOf(lines: Readonly<Record<string, readonly Part[] | Reply>>, then = 'All done.'): Script {
  return (request) => {
    if (lastToolResult(request)) return { chunks: [[{ text: then }]] };
    const prompt = lastPrompt(request);
    const line = Object.entries(lines).find(([word]) => prompt.includes(word))?.[1];
    if (line === undefined) return { chunks: [[{ text: `You said: ${prompt}` }]] };
    return 'chunks' in line ? line : { chunks: line.map((part) => [part]) };
  };
}
