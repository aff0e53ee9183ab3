import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@google/gemini-cli-core';
import type { Core } from './core.js';

/**
 * The folder for the files that core writes for one task. Clients choose ids, so its name is a hash of the id. In plan mode,
 * core's policies let the agent write only below a folder with these names: its plans.
 */
export function scratchFolder(root: string, taskId: string): string {
  return join(root, '.gemini', 'tmp', createHash('sha256').update(taskId).digest('hex').slice(0, 32));
}

/**
 * Core writes long outputs, plans and restore points, with parts of the conversation, into one folder per workspace. Each
 * task gets its own folder instead, so deleting the task can delete them. The memory of the workspace stays shared.
 */
export function keepInScratch({ storage }: Config, folder: string): void {
  const memory = storage.getProjectMemoryTempDir();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Core puts plans into a folder that is named by the session's id, and ids of clients may be paths.
  storage.setSessionId('task');
  Object.assign(storage, { getProjectTempDir: () => folder, getProjectMemoryTempDir: () => memory });
}

export function deleteScratch(root: string, taskId: string): Promise<void> {
  return rm(scratchFolder(root, taskId), { recursive: true, force: true });
}

/** Core would also write every conversation to a file, each time the task is loaded. The store already has it. */
export function recordNothing({ ChatRecordingService }: Core): void {
  // Until it is initialised, the recorder has no file and skips every write.
  ChatRecordingService.prototype.initialize = () => Promise.resolve();
}
