import type { ServeProcess } from './serve-process.js';
import { WireClient } from './wire-client.js';

/** A client that sees a task from its first event on. */
export function followTask({ base }: ServeProcess, taskId: string): Promise<WireClient> {
  return WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=${taskId}&after=0`);
}

/** Makes a task, follows it and prompts. */
export async function promptTask(served: ServeProcess, taskId: string, text: string): Promise<WireClient> {
  await served.post('tasks', { contextId: taskId });
  const client = await followTask(served, taskId);
  await client.prompt(text);
  return client;
}
