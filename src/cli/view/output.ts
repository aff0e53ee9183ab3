import type { Io } from './io.js';

export type Output = {
  write(text: string): void;
  /** Resolves when the reader of a pipe has caught up. Without this, unread output would pile up in memory. */
  ready(): Promise<void>;
};

/** Standard output of a command. `onBroken` is called when its reader is gone, as in `cosession watch | head`. */
export function openOutput({ stdout }: Io, onBroken: () => void): Output {
  let isBroken = false;
  stdout.once('error', () => {
    isBroken = true;
    onBroken();
  });
  return {
    write: (text) => void (isBroken || stdout.write(text)),
    async ready() {
      if (isBroken || !stdout.writableNeedDrain) return;
      await new Promise<void>((resolve) => {
        stdout.once('drain', resolve);
        stdout.once('close', resolve);
      });
    },
  };
}
