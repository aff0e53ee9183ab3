import type { ServerResponse } from 'node:http';
import { isHandedOver } from '../../../session/lifetime.js';
import { EventStream } from '../../http/event-stream.js';
import type { Form } from './form.js';
import { eventWriter } from './stream-writer.js';
import type { TaskStream } from './task-stream.js';

export type SendEventsOptions = {
  /** The first event of the stream, as this transport writes it. */
  readonly first: unknown;
  readonly form: Form<string>;
  /** What the transport puts around each event. */
  readonly before?: string;
  readonly after?: string;
  /** The event that ends a stream that cannot continue. */
  readonly toFailure: (error: unknown) => { readonly name?: string; readonly body: object };
};

/** Answers a request with a stream, as server-sent events. */
export async function sendEvents(
  response: ServerResponse,
  stream: TaskStream,
  { first, form, before = '', after = '', toFailure }: SendEventsOptions,
): Promise<void> {
  const out = new EventStream(response);
  out.send(stream.after, `${before}${JSON.stringify(first)}${after}`);
  try {
    await stream.writeTo(eventWriter(out, form, before, after));
  } catch (error) {
    if (isHandedOver(error)) return out.endForNow();
    const { name, body } = toFailure(error);
    out.send(undefined, JSON.stringify(body), name);
  }
  out.end();
}
