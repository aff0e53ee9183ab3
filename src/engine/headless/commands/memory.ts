import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sanitize } from '../../../util/text/sanitize.js';
import type { Action, TaskContext } from './command.js';

export const showMemory: Action = {
  needsTask: true,
  run: ({ core, config }) =>
    Promise.resolve({
      text: core.showMemory(config).content,
      data: { memory: core.flattenMemory(config.getUserMemory()), files: config.getGeminiMdFilePaths() },
    }),
};

export const listMemory: Action = {
  needsTask: true,
  run: ({ core, config }) =>
    Promise.resolve({ text: core.listMemoryFiles(config).content, data: { files: config.getGeminiMdFilePaths() } }),
};

export const refreshMemory: Action = {
  needsTask: true,
  async run({ core, config }) {
    const { content } = await core.refreshMemory(config);
    return { text: content, data: { files: config.getGeminiMdFilePaths() } };
  },
};

/**
 * Writes to the private memory of this workspace, which core keeps outside the workspace. The global memory would reach
 * the sessions of everybody else on this server.
 */
export const addMemory: Action = {
  needsTask: true,
  async run(context, { text = '' }) {
    const fact = oneLine(text);
    const file = context.core.getProjectMemoryIndexFilePath(context.config.storage);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await appendFile(file, `- ${fact}\n`, { mode: 0o600 });
    await reload(context);
    return { text: `Remembered for this workspace: ${fact}`, data: { file, fact } };
  },
};

async function reload({ core, config }: TaskContext): Promise<void> {
  await core.refreshMemory(config);
}

/** A fact is one list item: with several lines, it could pretend to be another section. */
function oneLine(text: string): string {
  return sanitize(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(-+\s*)+/, '');
}
