import { AsyncLocalStorage } from 'node:async_hooks';
import type * as core from '@google/gemini-cli-core';
import type { LogLevel } from '../../../domain/events.js';
import { recordNothing } from './scratch.js';
import { shareSchemas } from './share-schemas.js';

/** The type of gemini-cli-core at run time. */
export type Core = typeof core;

type Listener = (level: LogLevel, text: string) => void;

/** Core reports some things on one bus for the whole process. The async context says which session they belong to. */
const listeners = new AsyncLocalStorage<{ tell?: Listener }>();

let loading: Promise<Core> | undefined;

/** Loaded when the first task needs it, which saves an idle server half a second and 80 MB. */
export function loadCore(): Promise<Core> {
  return (loading ??= import('@google/gemini-cli-core').then(prepare));
}

let inside = 0;

/** Runs `run` and passes what core reports in the meantime to `listener`. */
export async function listening<T>(listener: Listener, run: () => Promise<T>): Promise<T> {
  const context = enter(listener);
  try {
    return await listeners.run(context, run);
  } finally {
    leave(context);
  }
}

/** The same for a stream, until its first speech. From then on core reports everything in the stream itself. */
export async function* listeningUntil<T>(
  listener: Listener,
  stream: AsyncIterable<T>,
  isSpeech: (event: T) => boolean,
): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  const context = enter(listener);
  try {
    for (;;) {
      const next = await (context.tell ? listeners.run(context, () => iterator.next()) : iterator.next());
      if (next.done === true) return;
      if (isSpeech(next.value)) leave(context);
      yield next.value;
    }
  } finally {
    leave(context);
    await iterator.return?.();
  }
}

function enter(tell: Listener): { tell?: Listener } {
  inside++;
  return { tell };
}

function leave(context: { tell?: Listener }): void {
  if (!context.tell) return;
  // Core starts timers that run for minutes and keep their context, which must not keep the session in memory.
  delete context.tell;
  // While any context exists, Node 20 slows down every promise of the process.
  if (--inside === 0) listeners.disable();
}

function prepare(loaded: Core): Core {
  const tell: Listener = (level, text) => listeners.getStore()?.tell?.(level, text);
  const { coreEvents, CoreEvent, debugLogger } = loaded;
  // Every session listens. Node's warning at the eleventh listener would be noise.
  coreEvents.setMaxListeners(0);
  coreEvents.on(CoreEvent.RetryAttempt, ({ attempt, delayMs, error }) =>
    tell(
      'warn',
      `The model did not answer (${error ?? 'no reason given'}); try ${attempt + 1} in ${Math.round(delayMs / 1000)} s.`,
    ),
  );
  coreEvents.on(CoreEvent.UserFeedback, ({ severity, message }) =>
    tell(severity === 'warning' ? 'warn' : severity, message),
  );
  // Otherwise core would wait forever for somebody to choose an editor.
  coreEvents.on(CoreEvent.RequestEditorSelection, () =>
    setImmediate(() => coreEvents.emit(CoreEvent.EditorSelected, {})),
  );
  shareSchemas(loaded.SchemaValidator);
  recordNothing(loaded);
  // Otherwise core keeps the newest task in memory to report background commands, which we never run.
  loaded.ExecutionLifecycleService.setInjectionService = () => {};
  // Every task that is opened would leave three marks on the timeline of the process, and look through all of them.
  loaded.startupProfiler.start = () => undefined;
  debugLogger.log = debugLogger.debug = () => {};
  debugLogger.warn = (...args) => tell('debug', args.map(String).join(' '));
  debugLogger.error = (...args) => tell('debug', args.map(String).join(' '));
  return loaded;
}
