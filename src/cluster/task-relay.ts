import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isElsewhere, toAppError } from '../domain/errors.js';
import type { Session } from '../session/session.js';
import type { Store, StoredTask } from '../stores/store.js';
import type { Registry } from '../tasks/registry.js';
import type { Relay } from '../tasks/relay.js';
import { unknownTask } from '../tasks/sessions.js';
import { RecentMap } from '../util/recent-map.js';
import { type Bus, NoAnswer, NobodyThere } from './bus/bus.js';
import type { ClusterCounts } from './cluster-counts.js';
import { opRequests } from './task-ops.js';
import { type Asked, fromRefused, readTaskReply, type TaskReply, toRefused, toText } from './message.js';

export type TaskRelayOptions = {
  readonly registry: Pick<Registry, 'loaded' | 'get'>;
  readonly store: Pick<Store, 'server' | 'holder' | 'task' | 'turn'>;
  /** The server that should run a task that nobody runs. */
  readonly placeFor: (task: StoredTask) => Promise<string>;
  readonly bus: Pick<Bus, 'request'>;
  /** Publishes what is stored: it must arrive before the reply. */
  readonly flush: () => void;
  readonly counts: ClusterCounts;
  readonly onError: (error: unknown) => void;
};

type Act = (session: Session, about: unknown) => Promise<unknown>;
type Tried = TaskReply | { readonly is: 'unknown' };

/** How long a request may take in all, and each attempt. Engines take seconds to start. */
const allMs = 15_000;
const oneMs = 3000;
const slowOps: readonly string[] = ['open', 'tools', 'remove', 'take', 'create'];
const firstWaitMs = 20;
const longestWaitMs = 300;
/** Which server was last seen to run a task. Wrong entries cost a round trip. */
const maxHolders = 10_000;

/** Finds the server that runs a task, wherever it moves, and asks it. If no server runs it, this one does from now on. */
export class TaskRelay implements Relay {
  readonly #options: TaskRelayOptions;
  readonly #acts = new Map<string, Act>();
  readonly #holders = new RecentMap<string, string>(maxHolders);

  constructor(options: TaskRelayOptions) {
    this.#options = options;
  }

  onAsked(op: string, act: Act): void {
    this.#acts.set(op, act);
  }

  async ask(taskId: string, op: string, about: unknown): Promise<unknown> {
    return (await this.askUntil(taskId, op, about)).value;
  }

  /** The answer, and the newest event of the task at that time. Requests are repeated, so they must be idempotent. */
  async askUntil(taskId: string, op: string, about: unknown): Promise<{ value: unknown; seq: number }> {
    const deadline = performance.now() + allMs;
    let isRepeat = false;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const tried = await this.#try({ taskId, op, about });
      if (tried.is === 'done') return { value: isRepeat ? withoutRepeat(tried.value) : tried.value, seq: tried.seq };
      if (tried.is === 'refused') {
        const mayBeDone = isRepeat && op === 'cancel' && tried.code === 'not-cancelable';
        if (mayBeDone && (await this.#wasCanceled(taskId, about))) return { value: undefined, seq: 0 };
        throw fromRefused(tried);
      }
      if (tried.is === 'unknown') isRepeat = true;
      this.#holders.delete(taskId);
      if (performance.now() + waitMs > deadline) throw ownerSilent(taskId);
      await sleep(waitMs, undefined, { ref: false });
    }
  }

  /** Answers another server. */
  async answer({ taskId, op, about }: Asked): Promise<TaskReply> {
    const { registry, store } = this.#options;
    const given = async () =>
      (await store.holder(taskId))?.server === store.server ? registry.get(taskId) : Promise.resolve(undefined);
    const session = await registry
      .loaded(taskId)
      .then((here) => here ?? given())
      .catch(() => undefined);
    if (!session) return { is: 'moved' };
    const tried = await this.#act(session, op, about);
    return tried.is === 'unknown' ? { is: 'moved' } : tried;
  }

  async #try(asked: Asked): Promise<Tried> {
    const { registry, store, placeFor } = this.#options;
    const { taskId, op, about } = asked;
    const here = await registry.loaded(taskId).catch(() => undefined);
    if (here) return this.#act(here, op, about);
    const holder = this.#holders.get(taskId) ?? (await store.holder(taskId))?.server;
    if (holder !== undefined && holder !== store.server) {
      const tried = await this.askServer(holder, asked);
      if (tried !== 'absent') return tried;
    }
    const record = await store.task(taskId);
    const place = record ? await placeFor(record) : store.server;
    if (place !== store.server) {
      await this.askServer(place, { op: 'take', taskId, about: {} });
      return { is: 'moved' };
    }
    try {
      const session = await registry.get(taskId);
      if (!session) throw unknownTask(taskId);
      return await this.#act(session, op, about);
    } catch (error) {
      if (isElsewhere(error)) return { is: 'moved' };
      throw error;
    }
  }

  /** `absent`: nobody listens there. */
  async askServer(server: string, asked: Asked): Promise<Tried | 'absent'> {
    const { bus, counts } = this.#options;
    try {
      const text = await bus.request(server, toText(asked), slowOps.includes(asked.op) ? allMs : oneMs);
      const reply = readTaskReply(text);
      counts.routed(asked.op, reply.is);
      if (reply.is !== 'moved') this.#holders.set(asked.taskId, server);
      return reply;
    } catch (error) {
      if (error instanceof NobodyThere) {
        counts.routed(asked.op, 'absent');
        return 'absent';
      }
      if (!(error instanceof NoAnswer)) throw error;
      counts.routed(asked.op, 'silent');
      // It may still carry out the request. The store decides whether its tasks may be taken over.
      const { registry } = this.#options;
      await registry.get(asked.taskId).catch(() => undefined);
      return { is: 'unknown' };
    }
  }

  /** An earlier attempt, whose reply was lost, has stopped the turn. Or it never arrived, and the turn ended by itself. */
  async #wasCanceled(taskId: string, about: unknown): Promise<boolean> {
    const { turnId } = opRequests.cancel.parse(about);
    const turn = turnId === undefined ? undefined : await this.#options.store.turn(taskId, turnId);
    return turn?.state === 'canceled';
  }

  async #act(session: Session, op: string, about: unknown): Promise<Tried> {
    const { flush, registry, onError } = this.#options;
    const act = this.#acts.get(op);
    if (!act) return toRefused(new AppError('unknown-method', `this server cannot do "${op}" for another one`));
    try {
      const value = await act(session, about);
      flush();
      return { is: 'done', value: value ?? null, seq: session.seq };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'internal') onError(error.cause ?? error);
      if (error.code === 'shutting-down' || isElsewhere(error)) return { is: 'moved' };
      // The task was unloaded or lost meanwhile. A request accepted at the last moment may have been stored.
      const isHere = (await registry.loaded(session.id).catch(() => undefined)) === session;
      return isHere ? toRefused(error) : { is: 'unknown' };
    }
  }
}

/** An earlier attempt was accepted and its reply lost: for the client this is not a repeat. */
function withoutRepeat(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('duplicate' in value)) return value;
  const { duplicate: _duplicate, ...rest } = value;
  return rest;
}

export function ownerSilent(taskId: string): AppError {
  return new AppError('task-elsewhere', `the server that runs task "${taskId}" does not answer; try again`, {
    details: { taskId, retryAfter: 1 },
  });
}
