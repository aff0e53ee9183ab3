import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeProcess } from '../spawn-serve.js';
import type { TcpProxy } from '../tcp-proxy.js';
import type { Random } from './random.js';
import type { Tally } from './tally.js';

export type ChaosClusterOptions = {
  readonly start: (...args: string[]) => Promise<ChaosMember>;
  /** Kills what carries the messages, and starts it again. Absent if that is the database. */
  readonly restartBus?: () => Promise<void>;
  readonly random: Random;
  readonly tally: Tally;
};

/** A server, and its ways to the store and to the bus; without a bus of its own, that is the store. */
export type ChaosMember = { readonly server: ServeProcess; readonly ways: { store: TcpProxy; bus?: TcpProxy } };

const size = 3;
/** Longer than the lease, so that others have its tasks when it wakes up. */
const pauseMs = 9000;

const cuts = ['cut off from the store', 'cut off from the bus', 'cut off from both'] as const;
type Cut = (typeof cuts)[number];
type Hurt = 'kill -9' | 'paused beyond its lease' | 'SIGTERM' | 'bus restarted' | Cut;

/** Several servers that clients see as one: each request goes to the next of them. A life ends when one of them is hurt. */
export class ChaosCluster {
  readonly #options: ChaosClusterOptions;
  readonly #members = new Set<ServeProcess>();
  readonly #ways = new Map<ServeProcess, ChaosMember['ways']>();
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
      const { server: member, ways } = await this.#options.start(...args);
      this.#members.add(member);
      this.#ways.set(member, ways);
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
      void this.#comesBack(member, () => member.kill('SIGCONT'));
      return how;
    }
    if (isCut(how)) {
      const ways = waysCut(this.#ways.get(member), how);
      for (const way of ways) way.stall();
      void this.#comesBack(member, () => ways.forEach((way) => way.heal()));
      return how;
    }
    member.kill(how === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
    await member.exit;
    return how;
  }

  async #mourn(member: ServeProcess): Promise<void> {
    const code = await member.exit;
    this.#members.delete(member);
    this.#ways.delete(member);
    if (!this.#hurt.has(member)) this.broken.push(`a server ended by itself: ${code} ${member.stderr}`);
  }

  async #comesBack(member: ServeProcess, wake: () => void): Promise<void> {
    await sleep(pauseMs);
    wake();
    this.#members.add(member);
    this.#hurt.delete(member);
  }

  #choose(): Hurt {
    const { random, restartBus } = this.#options;
    const chance = random.below(10);
    if (chance < 2) return 'SIGTERM';
    if (chance < 4) return 'paused beyond its lease';
    if (chance < 6) return (restartBus && random.pick(cuts)) ?? 'cut off from the store';
    return chance < 7 && restartBus ? 'bus restarted' : 'kill -9';
  }
}

function isCut(how: Hurt): how is Cut {
  return cuts.some((cut) => cut === how);
}

function waysCut(ways: ChaosMember['ways'] | undefined, how: Cut): readonly TcpProxy[] {
  if (!ways) return [];
  const { store, bus = store } = ways;
  if (how === 'cut off from both') return [store, bus];
  return how === 'cut off from the store' ? [store] : [bus];
}
