import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { patienceMs } from './until.js';

const keys: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  end: '\u001b[F',
  'ctrl-c': '\u0003',
};

export type ScreenOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cols?: number;
  readonly rows?: number;
  /** What the program shows when it takes a line; what is typed before would be lost. */
  readonly prompt?: string;
};

/** Neighbouring cells of one look. */
export type StyledRun = { readonly text: string; readonly color?: string; readonly bold?: boolean };

/** Ink draws nothing when it believes that it runs in CI. */
const terminalEnvironment = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
  CI: undefined,
  CONTINUOUS_INTEGRATION: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
};

/** A real program in a real pseudo terminal; its screen is read back through xterm's own emulator. */
export class Screen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #pty: IPty;
  readonly #waiters = new Set<() => void>();
  readonly #prompt: string;
  exitCode: number | undefined;

  constructor(command: string, args: readonly string[], options: ScreenOptions = {}) {
    const { cols = 110, rows = 40, prompt = '' } = options;
    this.#prompt = prompt;
    this.#terminal = new xterm.Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true });
    const given = { ...process.env, ...terminalEnvironment, ...options.env };
    const env = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    this.#pty = spawn(command, [...args], {
      name: 'xterm-256color',
      cols,
      rows,
      env,
      cwd: options.cwd ?? process.cwd(),
    });
    // The program asks the terminal about itself; xterm answers.
    this.#terminal.onData((data) => this.#pty.write(data));
    this.#pty.onData((data) => this.#terminal.write(data, () => this.#wake()));
    // Behind everything the program has written: the screen is complete when it has ended.
    this.#pty.onExit(({ exitCode }) =>
      this.#terminal.write('', () => {
        this.exitCode = exitCode;
        this.#wake();
      }),
    );
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** What is visible, line by line. */
  get text(): string {
    const { viewportY } = this.#terminal.buffer.active;
    return this.#lines(viewportY, viewportY + this.#terminal.rows);
  }

  /** Everything, with what has scrolled away. */
  get all(): string {
    return this.#lines(0, this.#terminal.buffer.active.length);
  }

  /** What is visible with its colours, for pictures. */
  styled(): StyledRun[][] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, y) => styledLine(active.getLine(active.viewportY + y)));
  }

  async waitFor(wanted: string | RegExp): Promise<string> {
    const matches = (): boolean => (typeof wanted === 'string' ? this.all.includes(wanted) : wanted.test(this.all));
    await this.#until(matches, () => `${wanted} to appear`);
    return this.all;
  }

  async waitUntilGone(unwanted: string): Promise<void> {
    await this.#until(
      () => !this.text.includes(unwanted),
      () => `${unwanted} to go away`,
    );
  }

  async waitForExit(): Promise<number> {
    await this.#until(
      () => this.exitCode !== undefined,
      () => 'the program to end',
    );
    return this.exitCode ?? -1;
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  async press(...names: string[]): Promise<void> {
    for (const name of names) {
      // The CLI takes an Enter right after another key for a pasted newline.
      await new Promise((resolve) => setTimeout(resolve, 80));
      this.#pty.write(keys[name] ?? name);
    }
  }

  /**
   * Types a line, waits until it shows, and presses Enter. Enter picks what the CLI suggests for a command, and it first
   * suggests all of them, so the name is typed alone until it is the first suggestion.
   */
  async submit(text: string): Promise<void> {
    await this.#until(
      () => this.text.includes(this.#prompt),
      () => `"${this.#prompt}" before typing`,
    );
    const [, name = '', rest = ''] = /^\/(\S+)(.*)$/.exec(text) ?? [];
    if (name === '') {
      await this.#typed(text);
      if (this.#prompt !== '') await this.#settled();
    } else {
      await this.#typed(`/${name}`);
      const isSuggested = (): boolean => new RegExp(`▀\\n ${name} `).test(this.text);
      await this.#until(isSuggested, () => `${name} to be suggested`);
      if (rest !== '') {
        await this.#typed(rest, text);
        await this.#until(
          () => !isSuggested(),
          () => `the suggestion of ${name} to go away`,
        );
      }
    }
    // The CLI takes an Enter soon after a letter for a pasted newline, however late it reads both. End changes nothing, and is no letter.
    await this.press(...(this.#prompt === '' ? [] : ['end']), 'enter');
  }

  /** Types it and waits until the line shows. */
  async #typed(text: string, line = text): Promise<void> {
    this.type(text);
    await this.#until(
      () => this.text.includes(line.slice(-30)),
      () => `"${line}" to be echoed`,
    );
  }

  /**
   * The CLI draws what is typed a moment before its Enter key knows of it, and drops an Enter in between. Once it has drawn one
   * more key, Enter knows everything before that key. It ignores a space at the end.
   */
  async #settled(): Promise<void> {
    const before = this.#inverse();
    this.type(' ');
    await this.#until(
      () => this.#inverse() !== before,
      () => 'the cursor to move',
    );
  }

  /** The columns of inverted cells: Ink draws its cursor so. Its row changes with every line that appears above the input. */
  #inverse(): string {
    const { active } = this.#terminal.buffer;
    const columns: number[] = [];
    for (let y = active.viewportY; y < active.viewportY + this.#terminal.rows; y++)
      for (let x = 0; x < this.#terminal.cols; x++) if (active.getLine(y)?.getCell(x)?.isInverse()) columns.push(x);
    return columns.join(' ');
  }

  async stop(): Promise<void> {
    if (this.exitCode === undefined) {
      this.#pty.kill('SIGTERM');
      const killed = setTimeout(() => this.#pty.kill('SIGKILL'), 5000);
      await this.waitForExit().catch(() => {});
      clearTimeout(killed);
    }
    this.#terminal.dispose();
  }

  #lines(from: number, to: number): string {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let y = from; y < to; y++) lines.push(active.getLine(y)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }

  /** A frame that is half drawn (DEC mode 2026) is not looked at. */
  #wake(): void {
    if (this.#terminal.modes.synchronizedOutputMode && this.exitCode === undefined) return;
    for (const waiter of this.#waiters) waiter();
  }

  #until(isTrue: () => boolean, what: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error): void => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        if (error) reject(error);
        else resolve();
      };
      const fail = (why: string): void =>
        done(new Error(`${why} while waiting for ${what()}\n--- screen ---\n${this.text}\n---`));
      const check = (): void => {
        if (isTrue()) done();
        else if (this.exitCode !== undefined) fail(`the program ended (${this.exitCode})`);
      };
      const timer = setTimeout(() => fail(`${patienceMs} ms passed`), patienceMs);
      this.#waiters.add(check);
      check();
    });
  }
}

type BufferLine = ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>;

function styledLine(line: BufferLine): StyledRun[] {
  const runs: { text: string; color?: string; bold?: boolean }[] = [];
  for (let x = 0; x < (line?.length ?? 0); x++) {
    const cell = line?.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    const color = cell.isFgRGB() ? `#${cell.getFgColor().toString(16).padStart(6, '0')}` : undefined;
    const bold = cell.isBold() !== 0;
    const last = runs.at(-1);
    if (last && last.color === color && last.bold === bold) last.text += text;
    else runs.push({ text, bold, ...(color === undefined ? {} : { color }) });
  }
  return runs;
}
