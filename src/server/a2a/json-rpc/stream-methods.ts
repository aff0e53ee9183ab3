import type { Forms } from '../streams/forms.js';

/** A streaming method. */
type StreamMethod = {
  /** The method whose response is the first event of the stream. */
  readonly single: string;
  /** That response as an event. */
  readonly toEvent: (result: unknown) => unknown;
  /** The form of the events after it. */
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

/** Undefined for a method with a single response. */
export function streamMethod(name: string, isLegacy: boolean): StreamMethod | undefined {
  const known = isLegacy ? methodsV03 : methods;
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
