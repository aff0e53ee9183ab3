import type { Message, Task } from '@a2a-js/sdk';
import { limits } from '../../http/limits.js';
import { Places } from '../../http/places.js';
import type { Caller } from '../calls/caller.js';
import type { TaskStream } from '../streams/task-stream.js';

/** The requests of all transports that stay open for long: streams, and those that wait for the end of a turn. */
export class RequestPlaces {
  readonly #places = new Places({ limit: limits.a2aStreams, what: 'A2A streams' });
  #answering = 0;

  get answering(): number {
    return this.#answering;
  }

  /** Holds a place until the request is answered. */
  async whileAnswering<T>({ principal }: Caller, answer: () => Promise<T>): Promise<T> {
    const leave = this.#places.take(principal);
    this.#answering++;
    try {
      return await answer();
    } finally {
      this.#answering--;
      leave();
    }
  }

  /** Holds a place until the stream is over or its reader has disconnected. */
  async whileStreaming<First extends Task | Message>(
    { principal, reader }: Caller,
    open: () => Promise<TaskStream<First>>,
  ): Promise<TaskStream<First>> {
    const leave = this.#places.take(principal);
    reader.onClose(leave);
    try {
      const stream = await open();
      return { ...stream, writeTo: (writer) => stream.writeTo(writer).finally(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
