import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeProcess } from '../spawn-serve.js';
import type { Random } from './random.js';
import type { Tally } from './tally.js';

export type ChaosClusterOptions = {
  readonly start: (...args: string[]) => Promise<ServeProcess>;
  /** Kills what carries the messages, and starts it again. Absent if that is the database. */
  readonly restartBus?: () => Promise<void>;
  readonly random: Random;
  readonly tally: Tally;
};

const size = 3;
/** Longer than the lease, so that others have its tasks when it wakes up. */
const pauseMs = 9000;

type Hurt = 'kill -9' | 'paused beyond its lease' | 'SIGTERM' | 'bus restarted';

/** Several servers that clients see as one: each request goes to the next of them. A life ends when one of them is hurt. */
export class ChaosCluster {
  readonly #options: ChaosClusterOptions;
  readonly #members = new Set<ServeProcess>();
  readonly #hurt = new Set<ServeProcess>();
  /** What ended although nobody hurt it. */
  readonly broken: string[] = [];
  #next = 0;

  constructor(options: ChaosClusterOptions) {
    this.#options = options;
  }

  /** All of them, as one. */
  async live(...args: string[]): Promise<ServeProcess> {
    while (this.#members.size < size) {
      const member = await this.#options.start(...args);
      this.#members.add(member);
      void this.#mourn(member);
    }
    let end: (how: string) => void = () => {};
    const exit = new Promise<string>((resolve) => (end = resolve));
    let isHurt = false;
    const next = (): ServeProcess => {
      const members = [...this.#members];
      const member = members[this.#next++ % members.length];
      if (!member) throw new Error('no server is left');
      return member;
    };
    return {
      get base() {
        return next().base;
      },
      get url() {
        return next().url;
      },
      pid: 0,
      log: [],
      stderr: '',
      exit,
      kill: () => {
        if (isHurt) return;
        isHurt = true;
        void this.#hurtOne(next()).then(end);
      },
      post: (path, body, headers) => next().post(path, body, headers),
      logged: (message) => next().logged(message),
    };
  }

  async #hurtOne(member: ServeProcess): Promise<Hurt> {
    const how = this.#choose();
    this.#options.tally.add(`hurt: ${how}`);
    if (how === 'bus restarted') {
      await this.#options.restartBus?.();
      return how;
    }
    this.#hurt.add(member);
    this.#members.delete(member);
    if (how === 'paused beyond its lease') {
      member.kill('SIGSTOP');
      void this.#wake(member);
      return how;
    }
    member.kill(how === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
    await member.exit;
    return how;
  }

  async #mourn(member: ServeProcess): Promise<void> {
    const code = await member.exit;
    this.#members.delete(member);
    if (!this.#hurt.has(member)) this.broken.push(`a server ended by itself: ${code} ${member.stderr}`);
  }

  async #wake(member: ServeProcess): Promise<void> {
    await sleep(pauseMs);
    member.kill('SIGCONT');
    this.#members.add(member);
    this.#hurt.delete(member);
  }

  #choose(): Hurt {
    const chance = this.#options.random.below(10);
    if (chance < 2) return 'SIGTERM';
    if (chance < 4) return 'paused beyond its lease';
    return chance < 5 && this.#options.restartBus ? 'bus restarted' : 'kill -9';
  }
}
