import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Scheduler } from '@google/gemini-cli-core';

type Executor = { execute(execution: Execution): Promise<unknown> };
type Execution = { readonly signal: AbortSignal; readonly call: object };

/**
 * Makes every tool wait until the store has recorded that it runs. Core has no hook for this: a tool that needs no
 * approval would start at once, and after a crash nobody could tell whether it had.
 */
export function beginOnceStored(scheduler: Scheduler, stored: () => Promise<void>): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a private part of core's, hence the check below
  const { executor } = scheduler as unknown as { executor?: Partial<Executor> };
  if (typeof executor?.execute !== 'function') throw new Error('this gemini-cli-core starts its tools in another way');
  const execute = executor.execute.bind(executor);
  executor.execute = async (execution) => {
    await stored();
    // Starting a process blocks the event loop for tens of milliseconds. What clients get about the start leaves first:
    // it is written at the end of this turn of the loop.
    await turnOfTheLoop();
    await turnOfTheLoop();
    // The turn may have been canceled in the meantime, and most tools do not check before they start.
    return execute(execution.signal.aborted ? withoutEffect(execution) : execution);
  };
}

/** To core this is a tool that stopped when it was canceled. */
function withoutEffect({ call, ...rest }: Execution): Execution {
  const execute = (): Promise<never> => Promise.reject(new DOMException('canceled before it began', 'AbortError'));
  return { ...rest, call: { ...call, invocation: { execute } } };
}
