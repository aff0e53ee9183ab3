import type { Response } from 'express';
import type { Principal } from '../../auth/principal.js';
import type { ServerTasks } from '../../tasks/server-tasks.js';
import type { TaskChange } from '../../tasks/task-changes.js';
import { EventStream } from '../http/event-stream.js';
import { limits } from '../http/limits.js';
import { Places } from '../http/places.js';
import { toTaskRow } from './task-view.js';

/** Changes of one task within this time are one event: the last. */
const gatherMs = 100;

/** Sends clients what changes in the list of the tasks they may see. */
export class ListStreams {
  readonly #places = new Places({ limit: limits.listStreams, what: 'streams of the list' });

  open(tasks: ServerTasks, principal: Principal, response: Response): void {
    this.#places.hold(principal, response);
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
      clearTimeout(timer);
      unsubscribe();
    });
  }
}

function write(stream: EventStream, { type, task }: TaskChange): void {
  if (type === 'saved') stream.send(undefined, JSON.stringify(toTaskRow(task)), 'row');
  else stream.send(undefined, JSON.stringify({ id: task.id }), 'removed');
}
