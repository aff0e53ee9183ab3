import { continued } from '../domain/continued-checkpoint.js';
import { RecentEvents, type RecentLimits } from '../domain/recent-events.js';
import { mergedTurn, type Turn, turnNews } from '../domain/turn.js';
import { RecentMap } from '../util/recent-map.js';
import { pagedTasks, pagedTurns } from './shared/paged.js';
import {
  alreadyStored,
  type Store,
  type StoredArtifact,
  type StoredServer,
  type StoredTask,
  type StoredWebhooks,
} from './store.js';
import type { Json } from '../domain/json.js';
import { defined } from '../util/defined.js';

type Shelf = {
  task?: StoredTask;
  checkpoint?: Json;
  summary?: Json;
  webhooks?: StoredWebhooks;
  readonly events: RecentEvents;
  readonly turns: RecentMap<string, Turn>;
  readonly artifacts: Map<string, { entry: StoredArtifact; content: Uint8Array }>;
};

/** Per session; about twenty megabytes. */
const keptTurns = 100_000;

/** Keeps everything until the process ends, except old events: each session keeps only its newest. */
export function memoryStore(limits: RecentLimits = {}): Store {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (id: string): Shelf => {
    const known = shelves.get(id);
    if (known) return known;
    const shelf: Shelf = { events: new RecentEvents(limits), turns: new RecentMap(keptTurns), artifacts: new Map() };
    shelves.set(id, shelf);
    return shelf;
  };
  const place: Place = { shelves, shelfOf };
  const claims = claimsInMemory();
  return {
    ...eventsIn(place),
    ...recordsIn(place),
    ...artifactsIn(place),
    ...webhooksIn(place),
    ...claims,
    async deleteTask(id) {
      const isKnown = shelves.get(id)?.task !== undefined;
      shelves.delete(id);
      await claims.release(id);
      return isKnown;
    },
    close() {
      shelves.clear();
      return Promise.resolve();
    },
  };
}

type Place = { readonly shelves: ReadonlyMap<string, Shelf>; readonly shelfOf: (id: string) => Shelf };

function eventsIn({ shelves, shelfOf }: Place): Pick<Store, 'append' | 'read' | 'turn' | 'turns'> {
  return {
    append(event) {
      const shelf = shelfOf(event.sessionId);
      shelf.events.push(event);
      noteTurn(shelf, turnNews(event));
      return alreadyStored;
    },
    read(sessionId, afterSeq, limit) {
      const events = shelves.get(sessionId)?.events;
      const first = events?.indexAfter(afterSeq) ?? 0;
      return Promise.resolve(events?.slice(first, first + limit) ?? []);
    },
    turn: (sessionId, turnId) => Promise.resolve(shelves.get(sessionId)?.turns.get(turnId)),
    turns: async (query) =>
      pagedTurns(
        [...shelves].flatMap(([taskId, { task, turns }]) =>
          [...turns.values()].map((turn) => ({ ...turn, taskId, ...defined({ owner: task?.owner }) })),
        ),
        query,
      ),
  };
}

function noteTurn({ turns }: Shelf, news: Turn | undefined): void {
  const turn = news && mergedTurn(turns.get(news.id), news);
  if (turn) turns.set(turn.id, turn);
}

type Records =
  | 'createTask'
  | 'saveTask'
  | 'task'
  | 'tasks'
  | 'saveCheckpoint'
  | 'checkpoint'
  | 'saveSummary'
  | 'summary';

function recordsIn({ shelves, shelfOf }: Place): Pick<Store, Records> {
  const saveTask = async (task: StoredTask): Promise<void> => {
    shelfOf(task.id).task = task;
  };
  return {
    createTask: saveTask,
    saveTask,
    task: (id) => Promise.resolve(shelves.get(id)?.task),
    tasks: async (query) =>
      pagedTasks(
        [...shelves.values()].flatMap(({ task }) => (task ? [task] : [])),
        query,
      ),
    async saveCheckpoint(taskId, checkpoint) {
      const shelf = shelfOf(taskId);
      shelf.checkpoint = continued(shelf.checkpoint, checkpoint);
    },
    checkpoint: (taskId) => Promise.resolve(shelves.get(taskId)?.checkpoint),
    saveSummary(taskId, summary, turns = []) {
      const shelf = shelfOf(taskId);
      shelf.summary = summary;
      for (const turn of turns) noteTurn(shelf, turn);
      return Promise.resolve();
    },
    summary: (taskId) => Promise.resolve(shelves.get(taskId)?.summary),
  };
}

function artifactsIn({ shelves, shelfOf }: Place): Pick<Store, 'saveArtifact' | 'artifacts' | 'artifact'> {
  return {
    saveArtifact(taskId, entry, content) {
      shelfOf(taskId).artifacts.set(entry.name, { entry, content });
      return Promise.resolve();
    },
    artifacts: (taskId) =>
      Promise.resolve(
        [...(shelves.get(taskId)?.artifacts.values() ?? [])]
          .map(({ entry }) => entry)
          .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      ),
    artifact: (taskId, name) => Promise.resolve(shelves.get(taskId)?.artifacts.get(name)?.content),
  };
}

function webhooksIn({ shelves, shelfOf }: Place): Pick<Store, 'saveWebhooks' | 'webhooks' | 'tasksToNotify'> {
  return {
    saveWebhooks(taskId, webhooks) {
      shelfOf(taskId).webhooks = webhooks;
      return Promise.resolve();
    },
    webhooks: (taskId) => Promise.resolve(shelves.get(taskId)?.webhooks?.body),
    tasksToNotify: () => Promise.resolve([...shelves].flatMap(([id, { webhooks }]) => (webhooks?.areOpen ? [id] : []))),
  };
}

type Claims =
  | 'server'
  | 'saveServer'
  | 'saveUsage'
  | 'usage'
  | 'servers'
  | 'deleteServer'
  | 'claim'
  | 'holder'
  | 'release';

/** No other server can share this store. */
function claimsInMemory(): Pick<Store, Claims> {
  const server = 'this';
  let usage: { readonly day: string; readonly body: Json } | undefined;
  const servers = new Map<string, StoredServer>();
  const epochs = new Map<string, number>();
  let epoch = 0;
  return {
    server,
    saveServer({ leaseMs, ...news }) {
      servers.set(server, { id: server, leftMs: leaseMs, ...news });
      return Promise.resolve();
    },
    saveUsage(day, body) {
      usage = { day, body };
      return Promise.resolve();
    },
    usage: (day) => Promise.resolve(usage?.day === day ? [{ server, body: usage.body }] : []),
    servers: () => Promise.resolve([...servers.values()]),
    deleteServer(id) {
      servers.delete(id);
      return Promise.resolve();
    },
    claim(taskId) {
      epochs.set(taskId, ++epoch);
      return Promise.resolve(epoch);
    },
    holder(taskId) {
      const held = epochs.get(taskId);
      return Promise.resolve(held === undefined ? undefined : { server, epoch: held });
    },
    release(taskId) {
      epochs.delete(taskId);
      return Promise.resolve();
    },
  };
}
