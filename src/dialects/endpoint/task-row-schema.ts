import * as z from 'zod';
import { turnStates } from '../../domain/events.js';

/** A task in a list. */
export const taskRow = z.object({
  id: z.string(),
  contextId: z.string(),
  state: z.enum(turnStates),
  title: z.string().exactOptional().describe('the first prompt, up to 80 characters'),
  last: z.string().exactOptional().describe("how the agent's last words begin, up to 140 characters"),
  pending: z
    .array(
      z.object({
        id: z.string().describe('of the tool call; answer it with one of the options'),
        title: z.string(),
        kind: z.enum(['execute', 'edit', 'mcp', 'generic', 'questions', 'plan']),
        command: z
          .string()
          .exactOptional()
          .describe('the whole command, up to 2,000 characters; absent if it is longer'),
        file: z.string().exactOptional().describe('the file that would change'),
        options: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    )
    .describe('open questions, up to 10'),
  owner: z.string().exactOptional().describe('the principal that created it'),
  workspace: z.string(),
  model: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  timestamp: z.string().describe('the same as updatedAt'),
});
