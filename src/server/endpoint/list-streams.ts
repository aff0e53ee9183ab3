import type { Response } from 'express';
import { AppError } from '../../domain/errors.js';
import type { ServerTasks } from '../../tasks/server-tasks.js';
import type { TaskChange } from '../../tasks/task-changes.js';
import { EventStream } from '../http/event-stream.js';
import { limits } from '../http/limits.js';
import { toTaskRow } from './task-view.js';

/** Changes of one task within this time are one event: the last. */
const gatherMs = 100;

/** Sends clients what changes in the list of the tasks they may see. */
export class ListStreams {
  #count = 0;

  open(tasks: ServerTasks, response: Response): void {
    if (this.#count >= limits.listStreams)
      throw new AppError('too-many-clients', `${limits.listStreams} clients follow the list already`);
    this.#count++;
    const changed = new Map<string, TaskChange>();
    let timer: NodeJS.Timeout | undefined;
    const send = (): void => {
      timer = undefined;
      for (const change of changed.values()) write(stream, change);
      changed.clear();
    };
    const unsubscribe = tasks.onChange((change) => {
      changed.set(change.task.id, change);
      timer ??= setTimeout(send, gatherMs).unref();
    });
    const stream = new EventStream(response, () => {
      this.#count--;
      clearTimeout(timer);
      unsubscribe();
    });
  }
}

function write(stream: EventStream, { type, task }: TaskChange): void {
  if (type === 'saved') stream.send(undefined, JSON.stringify(toTaskRow(task)), 'row');
  else stream.send(undefined, JSON.stringify({ id: task.id }), 'removed');
}
