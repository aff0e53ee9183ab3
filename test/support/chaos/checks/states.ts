import type { StreamRecord } from '../record.js';
import { request } from '../request.js';
import type { Scene } from '../scene.js';
import type { Told } from '../told.js';
import type { Witness } from '../witness.js';

/** Whoever asks for a task, or for one of its turns, is told what its log says. */
export async function checkStates(
  { taskId }: Witness,
  { ends }: StreamRecord,
  scene: Pick<Scene, 'server'>,
): Promise<string[]> {
  const last = ends.at(-1)?.state;
  if (last === undefined) return [];
  const { state } = await read<{ state: string }>(scene, `tasks/${taskId}`);
  const { tasks } = await read<{ tasks: { state: string }[] }>(scene, `tasks?contextId=${taskId}`);
  return [
    ...(state === last ? [] : [`its last turn ended as ${last}, the task is ${state}`]),
    ...(tasks[0]?.state === last ? [] : [`its last turn ended as ${last}, it is listed as ${tasks[0]?.state}`]),
    ...(await Promise.all(ends.map((end) => aboutTurn(end, scene)))).flat(),
  ];
}

/** For A2A a turn is a task. */
async function aboutTurn({ turnId, state = '' }: Told, scene: Pick<Scene, 'server'>): Promise<string[]> {
  const { status } = await read<{ status?: { state: string } }>(scene, `a2a/rest/tasks/${turnId}`);
  const isTrue = status?.state === `TASK_STATE_${state.toUpperCase()}`;
  return isTrue ? [] : [`turn ${turnId} ended as ${state} and is told as ${status?.state}`];
}

async function read<T>(scene: Pick<Scene, 'server'>, path: string): Promise<T> {
  return JSON.parse((await request(scene, 'GET', path)).text) as T;
}
