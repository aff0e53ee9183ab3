import type { Scheduler } from '@google/gemini-cli-core';

type Executor = { execute(execution: Execution): Promise<unknown> };
type Execution = { readonly signal: AbortSignal; readonly call: object };

/**
 * Makes every tool wait until the store knows that it runs. Core has no place for it: a tool that is allowed without a
 * question would begin at once, and after a crash nobody could tell whether it had.
 */
export function beginOnceStored(scheduler: Scheduler, stored: () => Promise<void>): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a private part of core's, hence the check below
  const { executor } = scheduler as unknown as { executor?: Partial<Executor> };
  if (typeof executor?.execute !== 'function') throw new Error('this gemini-cli-core starts its tools in another way');
  const execute = executor.execute.bind(executor);
  executor.execute = async (execution) => {
    await stored();
    // The turn may have been canceled meanwhile, and most tools do not look before they begin.
    return execute(execution.signal.aborted ? withoutEffect(execution) : execution);
  };
}

/** Core takes it for a tool that stopped when it was canceled. */
function withoutEffect({ call, ...rest }: Execution): Execution {
  const execute = (): Promise<never> => Promise.reject(new DOMException('canceled before it began', 'AbortError'));
  return { ...rest, call: { ...call, invocation: { execute } } };
}
