import { AppError, toAppError } from '../domain/errors.js';
import type { PeerAnswer, Peers } from '../domain/peers.js';
import type { Store } from '../stores/store.js';
import { type Bus, NoAnswer, NobodyThere } from './bus/bus.js';
import type { ClusterCounts } from './cluster-counts.js';
import { type Announcement, type Asked, fromRefused, readTaskReply, type TaskReply, toRefused } from './message.js';

export type ClusterPeersOptions = {
  readonly bus: Pick<Bus, 'announce' | 'request' | 'isConnected'>;
  readonly store: Pick<Store, 'server' | 'servers'>;
  readonly counts: ClusterCounts;
  readonly onError: (error: unknown) => void;
};

type Told = Extract<Announcement, { is: 'told' }>;

/** The time limit of one attempt, and the number of attempts. A server that needs longer than one attempt has to say so. */
const oneMs = 3000;
const attempts = 3;

/** The other servers on the bus. */
export class ClusterPeers implements Peers {
  readonly #options: ClusterPeersOptions;
  readonly #listeners = new Map<string, (about: unknown) => void>();
  readonly #acts = new Map<string, (about: unknown) => Promise<unknown>>();
  readonly #onGone = new Set<(server: string) => void>();

  constructor(options: ClusterPeersOptions) {
    this.#options = options;
  }

  get server(): string {
    return this.#options.store.server;
  }

  /** A message that cannot be sent now is dropped: later it would be wrong. */
  tell(topic: string, about: unknown): void {
    const { bus, counts } = this.#options;
    if (!bus.isConnected) return;
    counts.told(topic);
    bus.announce(JSON.stringify({ is: 'told', topic, about } satisfies Told));
  }

  onTold(topic: string, listener: (about: unknown) => void): void {
    this.#listeners.set(topic, listener);
  }

  hear({ topic, about }: Told): void {
    this.#listeners.get(topic)?.(about);
  }

  async ask(server: string, op: string, about: unknown): Promise<PeerAnswer> {
    const { counts } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#askOnce(server, { op, taskId: '', about });
      counts.routed(op, answer.is);
      if (answer.is !== 'silent' || attempt === attempts) return answer;
      if (!(await this.#isAlive(server))) return { is: 'gone' };
    }
  }

  async askAll(op: string, about: unknown): Promise<readonly PeerAnswer[]> {
    const others = (await this.#options.store.servers()).filter(({ id }) => id !== this.server);
    return Promise.all(others.map(({ id }) => this.ask(id, op, about)));
  }

  onAsked(op: string, act: (about: unknown) => Promise<unknown>): void {
    this.#acts.set(op, act);
  }

  /** Undefined if another part of this server answers it. */
  answer({ op, about }: Asked): Promise<TaskReply> | undefined {
    const act = this.#acts.get(op);
    return act && this.#act(act, about);
  }

  onGone(listener: (server: string) => void): void {
    this.#onGone.add(listener);
  }

  /** A server has stopped, or was found gone. */
  forget(server: string): void {
    for (const listener of this.#onGone) listener(server);
  }

  async #askOnce(server: string, asked: Asked): Promise<PeerAnswer> {
    try {
      const reply = readTaskReply(await this.#options.bus.request(server, JSON.stringify(asked), oneMs));
      if (reply.is === 'refused') throw fromRefused(reply);
      return reply.is === 'done' ? { is: 'done', value: reply.value } : { is: 'gone' };
    } catch (error) {
      if (error instanceof NobodyThere) return { is: 'gone' };
      if (error instanceof NoAnswer) return { is: 'silent' };
      throw error;
    }
  }

  async #isAlive(server: string): Promise<boolean> {
    return (await this.#options.store.servers()).some(({ id, leftMs }) => id === server && leftMs > 0);
  }

  async #act(act: (about: unknown) => Promise<unknown>, about: unknown): Promise<TaskReply> {
    try {
      return { is: 'done', value: (await act(about)) ?? null, seq: 0 };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'internal') this.#options.onError(error.cause ?? error);
      return toRefused(error.code === 'internal' ? new AppError('internal', 'another server failed') : error);
    }
  }
}
