import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../src/demo/model-server.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import type { Part, ScriptedReply } from '../../src/demo/reply.js';

/**
 * A command that stops between its two lines until `goOn`, so that a test sees the first while it runs. It may outlive a server
 * that is killed, but not its folder.
 */
export const twoLines = 'echo "line 1"; until [ -e go.txt -o ! -d "$PWD" ]; do sleep 0.05; done; echo "line 2"';

export function goOn(workspace: string): void {
  writeFileSync(join(workspace, 'go.txt'), '');
}

/** A model that answers by the first matching line; after a tool ran it says `then`. */
export function scriptOf(lines: Readonly<Record<string, readonly Part[] | ScriptedReply>>, then = 'All done.'): Script {
  return (request) => {
    if (lastToolResult(request)) return { chunks: [[{ text: then }]] };
    const prompt = lastPrompt(request);
    const line = Object.entries(lines).find(([word]) => prompt.includes(word))?.[1];
    if (line === undefined) return { chunks: [[{ text: `You said: ${prompt}` }]] };
    return 'chunks' in line ? line : { chunks: line.map((part) => [part]) };
  };
}
