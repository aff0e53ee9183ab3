import type { Writer } from './sqlite-connections.js';

/** About a thousand pages of the log, as SQLite's own default. */
const commitsBetween = 500;
const bytesBetween = 4 * 1024 * 1024;

/** Counts what is written to SQLite's log, and has the writer move it into the tables from time to time. */
export function checkpoints(writer: Writer): (bytes: number) => void {
  let commits = 0;
  let bytes = 0;
  let isMoving = false;
  const move = async (): Promise<void> => {
    isMoving = true;
    // Waits for nobody. What cannot be moved now, because another process reads or writes, is moved the next time.
    await writer.exec('pragma wal_checkpoint(passive)').catch(() => undefined);
    isMoving = false;
  };
  return (written) => {
    commits++;
    bytes += written;
    if (isMoving || (commits < commitsBetween && bytes < bytesBetween)) return;
    commits = bytes = 0;
    void move();
  };
}
