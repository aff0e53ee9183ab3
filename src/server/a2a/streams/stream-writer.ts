import type { SessionEvent } from '../../../domain/events.js';
import type { EventStream } from '../../http/event-stream.js';
import type { Audience, Form } from './form.js';

/** Where a stream is written: an answer of server-sent events, or a gRPC call. */
export type StreamWriter = {
  /** Takes an event; it is sent with those around it. */
  add(event: SessionEvent, audience: Audience): void;
  flush(): void;
  /** Nothing follows: nothing may be left behind. */
  finish(): void;
};

/** Written at once, without waiting for the events behind it. */
const flushLength = 64 * 1024;

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
      // Several events of one number: a reader that got only some of them must get all again.
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
