import type { SessionEvent } from '../../../domain/events.js';
import type { EventStream } from '../../http/event-stream.js';
import type { Audience, Form } from './form.js';

/** Where a stream is written: a response of server-sent events, or a gRPC call. */
export type StreamWriter = {
  /** Takes an event. It is sent together with its neighbours. */
  add(event: SessionEvent, audience: Audience): void;
  /** No more events have arrived: sends what is pending, in a burst together with what comes next. */
  flush(): void;
  /** Call after the last event. Sends everything that is pending. */
  finish(): void;
};

/** What is pending is written immediately at this length, without waiting for more events. */
export const flushLength = 64 * 1024;

/** `before` and `after` are what a transport puts around each event. */
export function eventWriter(out: EventStream, form: Form<string>, before = '', after = ''): StreamWriter {
  let pending = '';
  const flush = (): void => {
    if (pending !== '') out.write(pending);
    pending = '';
  };
  return {
    add(event, audience) {
      const written = form.of(event, audience);
      let left = written.length;
      // Only the last of several wire events with one seq carries it: a reader that got only some must get all again.
      for (const json of written)
        pending += `${--left === 0 ? `id: ${event.seq}\n` : ''}data: ${before}${json}${after}\n\n`;
      if (pending.length >= flushLength) flush();
    },
    flush,
    finish() {
      flush();
      out.flush();
    },
  };
}
