import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@google/gemini-cli-core';
import type { CoreToolRequest } from '../../gemini/core-types.js';
import type { Core } from '../core/core.js';

/** Saves what `/restore` goes back to, before tools change files, if `general.checkpointing.enabled` is on. */
export async function keepRestorePoints(
  core: Core,
  config: Config,
  calls: readonly CoreToolRequest[],
  promptId: string,
): Promise<void> {
  if (!config.getCheckpointingEnabled()) return;
  const edits = calls
    .filter(({ name }) => core.EDIT_TOOL_NAMES.has(name))
    .map(({ callId, name, args }) => ({ callId, name, args, isClientInitiated: false, prompt_id: promptId }));
  if (edits.length === 0) return;
  const git = await config.getGitService();
  const { checkpointsToWrite, errors } = await core.processRestorableToolCalls(edits, git, config.geminiClient);
  const folder = config.storage.getProjectTempCheckpointsDir();
  await mkdir(folder, { recursive: true });
  for (const [name, content] of checkpointsToWrite) await writeFile(join(folder, name), content, { mode: 0o600 });
  for (const error of errors) core.debugLogger.warn(error);
}
