import * as z from 'zod';
import { coderAgentMessage } from '../../dialects/coder-agent/from-wire.js';
import { extensionUri } from '../../dialects/development-tool/extension.js';
import type { SessionWishes } from '../../tasks/sessions.js';
import { defined } from '../../util/defined.js';

/** What clients send to a server of many tasks. /openapi.json is generated from the same schemas. */

const id = z.string().min(1).max(256);

/** Seeds 002 and 003 name the folder in two ways, the RFC in a third. Clients may not decide anything else in it. */
const agentSettings = z.object({
  kind: z.literal('agent-settings').exactOptional(),
  workspacePath: z.string().min(1).exactOptional(),
  workspace_path: z.string().min(1).exactOptional(),
  workspaceRoot: z.string().min(1).exactOptional(),
  model: z.string().min(1).max(256).exactOptional(),
  autoExecute: z.boolean().exactOptional(),
});

export type TaskSettings = z.infer<typeof agentSettings>;

/**
 * What the metadata of a first message requests: AgentSettings under the extension's URI (RFC), or under `coderAgent`, where
 * clients of other servers put it. Other metadata requests nothing.
 */
export function wishesIn(metadata: Readonly<Record<string, unknown>> | undefined): SessionWishes {
  const found = [metadata?.[extensionUri], metadata?.['coderAgent']].map(
    (value) => agentSettings.safeParse(value).data,
  );
  return toWishes(found.find((settings) => settings !== undefined));
}

export function toWishes(settings: TaskSettings = {}): SessionWishes {
  const { workspacePath, workspace_path, workspaceRoot, model, autoExecute } = settings;
  const workspace = workspacePath ?? workspace_path ?? workspaceRoot;
  return {
    ...defined({ workspace, model, autoExecute }),
  };
}

export const newTaskBody = z.object({ contextId: id.optional(), agentSettings: agentSettings.optional() });

/** Standard A2A calls `userMessage` just `message`. `parseUserMessage` reads both. */
export const messageStreamBody = z.object({
  taskId: id.optional(),
  contextId: id.optional(),
  agentSettings: agentSettings.optional(),
  userMessage: z.unknown().optional(),
  message: z.unknown().optional(),
});
export const messageStreamForms = messageStreamBody.omit({ message: true }).extend({ userMessage: coderAgentMessage });

export const executeBody = z.object({ message: z.unknown(), messageId: id.optional() });
export const executeForms = executeBody.extend({ message: z.union([z.string(), coderAgentMessage]) });

const states = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'] as const;
const maxPage = 100;

export const taskQuery = z.object({
  limit: z.coerce.number().int().min(1).max(maxPage).default(50),
  pageToken: z.string().min(1).exactOptional(),
  state: z.enum(states).exactOptional(),
  contextId: id.exactOptional(),
  updatedSince: z.iso
    .datetime({ offset: true })
    .transform((time) => new Date(time).toISOString())
    .exactOptional(),
});

export const commandBody = z.object({
  command: z.string().min(1).describe('with or without the slash'),
  args: z.union([z.array(z.string()), z.string()]).default([]),
  taskId: id.exactOptional(),
});
