import { createHash } from 'node:crypto';
import { AppError } from '../domain/errors.js';
import type { StoredTask } from '../stores/store.js';
import { hasWorkspaceOf, labelIn, labelOf } from '../tasks/pinned-roots.js';
import type { LivePeers, LivePeer } from './live-peers.js';

/** This server runs a new task itself if its load is at most this many times that of the less loaded of two others. */
const asGoodAs = 1.2;
/** Differences below this are no reason to run a task elsewhere. */
const noDifference = 2;
/** Tasks in memory cost little beside turns that run. */
const loadedPerTurn = 50;
/** Asking two and choosing the better one spreads work nearly as well as asking all. */
const asked = 2;
/** The first version that understands `take` and `create`. */
const takesSince = 2;

export type PlacementOptions = {
  readonly peers: Pick<LivePeers, 'some' | 'all'>;
  readonly own: () => LivePeer;
};

/** Which server runs a task. */
export class Placement {
  readonly #options: PlacementOptions;

  constructor(options: PlacementOptions) {
    this.#options = options;
  }

  /** The server for a new task. Rejects if this one stops and there is no other. */
  async forNew(workspace: string | undefined): Promise<string> {
    const { peers, own } = this.#options;
    const self = own();
    const label = workspace === undefined ? undefined : labelIn(self.pinnedRoots, workspace);
    if (label !== undefined && !self.isDraining) return self.id;
    const pinned = workspace === undefined ? [] : (await peers.all()).filter(mayTake).filter(hasFolder(workspace));
    const others = pinned.length > 0 ? pinned : (await peers.some(asked)).filter(mayTake);
    const [best] = others.toSorted((a, b) => loadOf(a) - loadOf(b));
    if (!self.isDraining && pinned.length === 0)
      return !best || loadOf(self) <= loadOf(best) * asGoodAs + noDifference ? self.id : best.id;
    if (best) return best.id;
    // The two servers that were asked may be stopping too.
    const any = (await peers.all()).find(mayTake);
    if (!any) throw new AppError('shutting-down', 'the server is shutting down, and there is no other');
    return any.id;
  }

  /** Who continues the tasks that nobody runs: the same answer on every server that sees the same others. */
  async heirs(patienceMs?: number): Promise<(task: StoredTask) => string | undefined> {
    const { peers, own } = this.#options;
    const all = [own(), ...(await peers.all(patienceMs))].filter(mayTake);
    return (task) =>
      winner(
        all.filter(({ pinnedRoots }) => hasWorkspaceOf(pinnedRoots, task)).map(({ id }) => id),
        task.id,
      );
  }

  /** The server for a task that nobody runs: this one if it can. Rejects if there is none. */
  async forKnown(task: StoredTask): Promise<string> {
    const self = this.#options.own();
    if (!self.isDraining && hasWorkspaceOf(self.pinnedRoots, task)) return self.id;
    const heir = (await this.heirs())(task);
    if (heir !== undefined) return heir;
    const label = labelOf(task);
    if (label === undefined)
      throw new AppError('shutting-down', 'the server is shutting down, and there is no other that continues the task');
    throw new AppError(
      'workspace-away',
      `no server with the label "${label}" is there, and the task's files are on it`,
      {
        details: { taskId: task.id, label, retryAfter: 5 },
      },
    );
  }
}

const mayTake = ({ isDraining, speaks }: LivePeer): boolean => !isDraining && speaks >= takesSince;

const hasFolder =
  (workspace: string) =>
  ({ pinnedRoots }: LivePeer): boolean =>
    labelIn(pinnedRoots, workspace) !== undefined;

function loadOf({ running, queued, loaded }: LivePeer): number {
  return running + queued + loaded / loadedPerTurn;
}

/** Rendezvous hashing: when a server leaves, only its own tasks find another. */
function winner(servers: readonly string[], taskId: string): string | undefined {
  const weight = (server: string): string => createHash('sha256').update(`${server} ${taskId}`).digest('hex');
  return servers
    .map((server) => ({ server, weight: weight(server) }))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : -1))[0]?.server;
}
