import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { cacheDir } from '../config/cache-dir.js';

/** Later, V8 forgets what it has compiled and not used since. */
const keepAfterMs = 10_000;
/** A release has about 200. Those of older releases and of other versions of Node go when there are this many. */
const mostFiles = 1000;
/** Before what V8 made: checksums of the source it is made of, and of itself. V8 compares only lengths. */
const headBytes = 8;

/**
 * Compiles files of ours and keeps what V8 has made of them, for the next process. A third of the time that a server needs until its
 * first reply is spent on that. Whatever is wrong with what was kept, the file is compiled again.
 */
export class CompiledCode {
  readonly #folder: string | undefined;
  readonly #asLoaded: (keep: () => void) => void;
  /** What was not kept yet, by the file that will hold it, with the checksum of its source. */
  readonly #fresh = new Map<string, readonly [Script, number]>();
  #isKeeping = false;

  /** `asLoaded` keeps code under the options of V8 that it is loaded with: it is valid under no others. */
  constructor(env: NodeJS.ProcessEnv, asLoaded: (keep: () => void) => void = (keep) => keep()) {
    this.#asLoaded = asLoaded;
    // The variable that turns off Node's own cache, too.
    const folder = env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : cacheDir(env);
    if (folder !== undefined) this.#folder = join(folder, 'compiled');
  }

  /** From now on, what is compiled is kept after a while. */
  startKeeping(): void {
    this.#isKeeping = true;
  }

  compile(path: string): Script {
    const bytes = readFileSync(path);
    // The build leaves only ASCII in it.
    const source = bytes.toString('latin1');
    if (this.#folder === undefined) return new Script(source, { filename: path });
    const checksum = crc32(bytes);
    // The tag stands for V8's version and options.
    const file = join(this.#folder, `${cachedDataVersionTag().toString(16)}-${basename(path)}`);
    const cachedData = read(file, checksum);
    const script = new Script(source, { filename: path, ...(cachedData ? { cachedData } : {}) });
    if (!cachedData || script.cachedDataRejected === true) this.#keepSoon(file, [script, checksum]);
    return script;
  }

  #keepSoon(file: string, fresh: readonly [Script, number]): void {
    if (!this.#isKeeping) return;
    if (this.#fresh.size === 0) setTimeout(() => this.#keepSome(), keepAfterMs).unref();
    this.#fresh.set(file, fresh);
  }

  /** One file after another, so that requests are served in between. */
  #keepSome(): void {
    this.#keepOne();
    if (this.#fresh.size > 0) setTimeout(() => this.#keepSome(), 0).unref();
  }

  /** For the end of the process: what is not kept yet is kept now. */
  keep(): void {
    while (this.#fresh.size > 0) this.#keepOne();
  }

  #keepOne(): void {
    for (const [file, [script, checksum]] of this.#fresh) {
      this.#fresh.delete(file);
      try {
        this.#asLoaded(() => write(file, script.createCachedData(), checksum));
      } catch {
        // A full or read-only disk: the next process compiles, too.
        this.#fresh.clear();
      }
      return;
    }
  }
}

function read(file: string, checksum: number): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const data = kept.subarray(headBytes);
    return kept.readUInt32LE(0) === checksum && kept.readUInt32LE(4) === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function write(file: string, data: Buffer, checksum: number): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length >= mostFiles) for (const name of names) rmSync(join(folder, name), { force: true });
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(checksum, 0);
  head.writeUInt32LE(crc32(data), 4);
  // Put in its place when it is whole: another process may read it.
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, Buffer.concat([head, data]), { mode: 0o600 });
  renameSync(temporary, file);
}
