import type { Scheduler } from '@google/gemini-cli-core';

type Executor = { execute(context: unknown): Promise<unknown> };

/**
 * Makes every tool wait until the store knows that it runs. Core has no place for it: a tool that is allowed without a
 * question would begin at once, and after a crash nobody could tell whether it had.
 */
export function beginOnceStored(scheduler: Scheduler, stored: () => Promise<void>): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a private part of core's, hence the check below
  const { executor } = scheduler as unknown as { executor?: Partial<Executor> };
  if (typeof executor?.execute !== 'function') throw new Error('this gemini-cli-core starts its tools in another way');
  const execute = executor.execute.bind(executor);
  executor.execute = async (context) => {
    await stored();
    return execute(context);
  };
}
