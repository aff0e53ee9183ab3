const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type Run = (stopped: Promise<void>, onOpen: (undo: () => unknown) => void) => Promise<unknown>;

/** Runs until it ends or the program gets a signal, then undoes everything that was opened, newest first. */
export async function untilStopped(run: Run): Promise<void> {
  const undos: (() => unknown)[] = [];
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  for (const signal of signals) process.on(signal, stop);
  try {
    await Promise.race([stopped, run(stopped, (undo) => undos.push(undo))]);
  } finally {
    for (const undo of undos.toReversed()) await undo();
    for (const signal of signals) process.off(signal, stop);
  }
}
