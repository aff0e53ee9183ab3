// Loaded into a program with `node --import`: what has reached the disk, as far as the program was told, is copied to the folder
// in COPIED_DISK. That is what a power cut would leave. Each wait takes COPIED_DISK_MS longer.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';

const disk = process.env['COPIED_DISK'] ?? '';
const slowerMs = Number(process.env['COPIED_DISK_MS'] ?? 0);
const { fdatasync } = fs;

/**
 * @param {string} path
 * @param {number} size what was written when the wait began
 */
function copy(path, size) {
  if (!fs.existsSync(path)) return;
  const folder = join(disk, basename(dirname(path)));
  fs.mkdirSync(folder, { recursive: true });
  // Whole or not at all: this process will be killed.
  fs.writeFileSync(join(disk, 'copying'), fs.readFileSync(path).subarray(0, size));
  fs.renameSync(join(disk, 'copying'), join(folder, basename(path)));
}

/** @type {(file: number, done: (error: Error | null) => void) => void} */
function copyingSync(file, done) {
  const { size } = fs.fstatSync(file);
  const path = fs.readlinkSync(`/proc/self/fd/${file}`);
  fdatasync(file, (error) => {
    setTimeout(() => {
      if (!error) copy(path, size);
      done(error);
    }, slowerMs);
  });
}

fs.fdatasync = /** @type {typeof fs.fdatasync} */ (/** @type {unknown} */ (copyingSync));
syncBuiltinESMExports();
