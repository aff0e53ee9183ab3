import { setTimeout as sleep } from 'node:timers/promises';
import { isElsewhere } from '../domain/errors.js';
import type { SessionPort } from '../session/session-port.js';
import type { Registry } from '../tasks/registry.js';
import { runInSession } from '../tasks/run-in-session.js';
import type { ServerTasks } from '../tasks/server-tasks.js';
import { sessionIdOf, sessionOf } from '../tasks/sessions.js';
import type { TaskChanges } from '../tasks/task-changes.js';
import type { Mirrors } from './mirrors.js';
import { opAnswers } from './task-ops.js';
import { type TaskRelay, ownerSilent } from './task-relay.js';

export type ClusteredTasksOptions = {
  readonly registry: Registry;
  readonly mirrors: Mirrors;
  readonly relay: TaskRelay;
  /** What other servers change in the list. */
  readonly changes: TaskChanges;
};

/** How long a task may be claimed by a server and not exist, and how often to look. */
const settledWithinMs = 15_000;
const againMs = 50;

/** The tasks of all servers of a cluster. Those that run elsewhere are mirrored here. */
export function clusteredTasks({ registry, mirrors, relay, changes }: ClusteredTasksOptions): ServerTasks {
  const orMirror = async <Here extends SessionPort | undefined>(
    id: string,
    find: () => Promise<Here>,
  ): Promise<Here | SessionPort | undefined> => {
    const here = await registry.loaded(id).catch(() => undefined);
    if (here) return here;
    if (mirrors.has(id)) return mirrors.get(id);
    try {
      return await find();
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      return mirrors.get(id);
    }
  };
  const orElsewhere = async <T>(here: () => Promise<T>, ask: () => Promise<T>): Promise<T> => {
    try {
      return await here();
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      return ask();
    }
  };
  const get = (id: string): Promise<SessionPort | undefined> => orMirror(id, () => registry.get(id));
  return {
    get,
    async ofTurn(turnId) {
      const id = sessionIdOf(turnId);
      return id === '' ? undefined : get(id);
    },
    async open(id, wishes) {
      if (id === undefined) return registry.open(id, wishes);
      // Another server may have claimed it and not created it yet, or be deleting it.
      for (let waited = 0; waited < settledWithinMs; waited += againMs) {
        const session = await orMirror(id, () => registry.open(id, wishes));
        if (session) return session;
        await sleep(againMs, undefined, { ref: false });
      }
      throw ownerSilent(id);
    },
    view: (id) => registry.view(id),
    turns: (query) => registry.turns(query),
    *all() {
      const here = new Set<string>();
      for (const session of registry.all()) {
        here.add(session.id);
        yield session;
      }
      for (const mirror of mirrors.all()) if (!here.has(mirror.id)) yield mirror;
    },
    commands: () => registry.commands(),
    list: (query) => registry.list(query),
    describe: (id) => registry.describe(id),
    remove: (id) =>
      orElsewhere(
        () => registry.remove(id),
        async () => (await relay.ask(id, 'remove', {})) === true,
      ),
    artifacts: (id) => registry.artifacts(id),
    artifact: (id, name) => registry.artifact(id, name),
    tools: (id) =>
      orElsewhere(
        () => registry.tools(id),
        async () => opAnswers.tools.parse(await relay.ask(id, 'tools', {})),
      ),
    async runCommand(request) {
      const { taskId, command, args, origin } = request;
      if (taskId === undefined) return registry.runCommand(request);
      const line = [command.replace(/^\//, ''), ...args].join(' ');
      return runInSession(await sessionOf({ get }, taskId), line, origin);
    },
    onSession: (listener) => registry.onSession(listener),
    onChange(listener) {
      const stops = [registry.onChange(listener), changes.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    get counts() {
      return registry.counts;
    },
    checkReady: () => registry.checkReady(),
  };
}
