import { close as closeFile, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Two overlap at no cost, and the threads of Node are for others too. */
const atOnce = 2;

/**
 * SQLite's write-ahead log, which holds what was committed lately. `sync` resolves once everything in it is on the disk: that
 * is what SQLite does after every commit with `synchronous = full`, but here one wait serves all commits before it, and
 * further commits need not wait for it. Whatever SQLite has moved out of the log is on the disk already.
 */
export function openLog(database: string): { sync: () => Promise<void>; close: () => Promise<void> } {
  // SQLite keeps no locks on this file, so opening it a second time is harmless. It exists as long as a connection is open.
  const file = openSync(`${database}-wal`, 'a+', 0o600);
  let running = 0;
  /** The next sync, shared by all callers until it starts. */
  let next: Promise<void> | undefined;
  let letNext = (): void => {};

  async function run(): Promise<void> {
    running++;
    try {
      await toDisk(file);
    } finally {
      running--;
      letNext();
    }
  }

  async function wait(): Promise<void> {
    await new Promise<void>((resolve) => (letNext = resolve));
    next = undefined;
    letNext = () => {};
    await run();
  }

  return {
    sync: () => next ?? (running < atOnce ? run() : (next = wait())),
    close: () => promisify(closeFile)(file),
  };
}

const toDisk = promisify(fdatasync);
