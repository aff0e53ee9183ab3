import type { Forms } from '../streams/forms.js';

/** A method that streams. */
type StreamMethod = {
  /** The method that is answered by what the stream begins with. */
  readonly single: string;
  /** That answer as an event. */
  readonly toEvent: (result: unknown) => unknown;
  /** How the events after it are written. */
  readonly form: keyof Forms<string>;
};

const unchanged = (result: unknown): unknown => result;

const methods: Readonly<Record<string, StreamMethod>> = {
  SendStreamingMessage: { single: 'SendMessage', toEvent: unchanged, form: 'v1' },
  SubscribeToTask: { single: 'GetTask', toEvent: (task) => ({ task }), form: 'v1' },
};

const methodsV03: Readonly<Record<string, StreamMethod>> = {
  'message/stream': { single: 'message/send', toEvent: unchanged, form: 'v03Send' },
  'tasks/resubscribe': { single: 'tasks/get', toEvent: unchanged, form: 'v03' },
};

/** Undefined for a method that is answered once. */
export function streamMethod(name: string, isLegacy: boolean): StreamMethod | undefined {
  const known = isLegacy ? methodsV03 : methods;
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
