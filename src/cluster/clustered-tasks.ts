import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isElsewhere, toAppError } from '../domain/errors.js';
import type { SessionPort } from '../session/session-port.js';
import type { Registry } from '../tasks/registry.js';
import { runInSession } from '../tasks/run-in-session.js';
import type { ServerTasks } from '../tasks/server-tasks.js';
import { checkSessionId, sessionIdOf, sessionOf, type SessionWishes } from '../tasks/sessions.js';
import type { TaskChanges } from '../tasks/task-changes.js';
import { fromRefused } from './message.js';
import type { Mirrors } from './mirrors.js';
import type { Placement } from './placement.js';
import { opAnswers } from './task-ops.js';
import { type TaskRelay, ownerSilent } from './task-relay.js';

export type ClusteredTasksOptions = {
  readonly registry: Registry;
  readonly mirrors: Mirrors;
  readonly placement: Pick<Placement, 'forNew'>;
  readonly server: string;
  readonly relay: TaskRelay;
  /** Changes that other servers make to the list. */
  readonly changes: TaskChanges;
};

/** How long a task may be claimed before it exists, and how often to check. */
const settledWithinMs = 15_000;
const againMs = 50;

/** The tasks of all servers of a cluster. Those that run elsewhere are mirrored here. */
export function clusteredTasks(options: ClusteredTasksOptions): ServerTasks {
  const { registry, mirrors, placement, server, relay, changes } = options;
  const isAway = (error: unknown): boolean =>
    isElsewhere(error) || (registry.isClosing && toAppError(error).code === 'shutting-down');
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
      if (!isAway(error)) throw error;
      return mirrors.get(id);
    }
  };
  const orElsewhere = async <T>(here: () => Promise<T>, ask: () => Promise<T>): Promise<T> => {
    try {
      return await here();
    } catch (error) {
      if (!isAway(error)) throw error;
      return ask();
    }
  };
  const openWhereItFits = async (id: string, wishes: SessionWishes): Promise<SessionPort | undefined> => {
    const place = await placement.forNew(wishes.workspace);
    if (place === server) return registry.open(id, wishes);
    const tried = await relay.askServer(place, { op: 'create', taskId: id, about: wishes });
    if (tried !== 'absent' && tried.is === 'refused') throw fromRefused(tried);
    return mirrors.get(id);
  };
  const get = (id: string): Promise<SessionPort | undefined> => orMirror(id, () => registry.get(id));
  return {
    get,
    async ofTurn(turnId) {
      const id = sessionIdOf(turnId);
      return id === '' ? undefined : get(id);
    },
    async open(given, wishes = {}) {
      if (given === undefined && wishes.mustExist) return registry.open(given, wishes);
      const id = given ?? randomUUID();
      checkSessionId(id);
      // Another server may have claimed it and not created it yet, or be deleting it.
      for (let waited = 0; waited < settledWithinMs; waited += againMs) {
        const session = await orMirror(id, () => openWhereItFits(id, wishes));
        if (session) return session;
        await sleep(againMs, undefined, { ref: false });
      }
      throw ownerSilent(id);
    },
    view: (id) => registry.view(id),
    turns: (query) => registry.turns(query),
    peek: (id) => registry.peek(id) ?? mirrors.peek(id),
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
