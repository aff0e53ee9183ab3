import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, ToolCallData } from '@google/gemini-cli-core';
import { AppError } from '../../../domain/errors.js';
import { closest } from '../../../util/text/closest.js';
import type { Core } from '../core/core.js';
import type { Action, CommandResult, TaskContext } from './command.js';
import { defined } from '../../../util/defined.js';

export const restore: Action = {
  needsTask: true,
  run: (context, { checkpoint }) => (checkpoint === undefined ? list(context) : goBack(context, checkpoint)),
};

async function list(context: TaskContext): Promise<CommandResult> {
  const checkpoints = await names(context);
  const text = checkpoints.length > 0 ? checkpoints.join('\n') : noneText(context);
  return { text, data: { checkpoints } };
}

function noneText({ config }: TaskContext): string {
  return config.getCheckpointingEnabled()
    ? 'There is no tool call to restore yet.'
    : 'Nothing can be restored: general.checkpointing.enabled is off in the settings.';
}

async function goBack(context: TaskContext, name: string): Promise<CommandResult> {
  const { core, config, say } = context;
  const checkpoint = parse(core, await read(context, name));
  for await (const step of core.performRestore(checkpoint, await config.getGitService())) {
    if (step.type === 'load_history') config.geminiClient.setHistory(step.clientHistory);
    if (step.type !== 'message') continue;
    if (step.messageType === 'error') throw new AppError('command-failed', step.content);
    say(step.content);
  }
  await answerOpenCalls(config);
  const { toolCall } = checkpoint;
  return {
    text: `The agent was about to use ${toolCall.name}; tell it how to continue.`,
    data: { checkpoint: name, toolCall },
  };
}

/** The conversation ends with calls that nobody will run. The model accepts no message until they are answered. */
async function answerOpenCalls(config: Config): Promise<void> {
  const last = config.geminiClient.getHistory().at(-1);
  const calls = last?.role === 'model' ? (last.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []) : [];
  if (calls.length === 0) return;
  const error = 'Not run: the user took the workspace back to before this call.';
  const parts = calls.map(({ id, name }) => ({
    functionResponse: { ...defined({ id }), name: name ?? '', response: { error } },
  }));
  await config.geminiClient.addHistory({ role: 'user', parts });
}

/** Core restores the conversation only for a user interface with a history; ours is in the event log. */
function parse(core: Core, text: string): ToolCallData<unknown, Record<string, unknown>> {
  const data = core.getToolCallDataSchema().parse(JSON.parse(text));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- core's schema for core's type
  return { ...data, history: [] } as ToolCallData<unknown, Record<string, unknown>>;
}

/** Opens only a name from the list, so no name leads elsewhere. */
async function read(context: TaskContext, name: string): Promise<string> {
  const known = await names(context);
  if (known.includes(name)) return readFile(join(folder(context), `${name}.json`), 'utf8');
  const meant = closest(name, known);
  const hint = meant === undefined ? '/restore lists the checkpoints' : `did you mean ${meant}?`;
  throw new AppError('bad-request', `there is no checkpoint ${JSON.stringify(name)}; ${hint}`);
}

async function names(context: TaskContext): Promise<string[]> {
  const files = await readdir(folder(context)).catch(() => []);
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}

function folder({ config }: TaskContext): string {
  return config.storage.getProjectTempCheckpointsDir();
}
