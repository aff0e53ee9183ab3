/** Runs something that Ctrl-C shuts down cleanly. */
export async function untilInterrupted<T>(stop: () => void, run: () => Promise<T>): Promise<T> {
  process.once('SIGINT', stop);
  try {
    return await run();
  } finally {
    process.off('SIGINT', stop);
  }
}
