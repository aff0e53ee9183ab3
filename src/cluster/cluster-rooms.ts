import type { ClientList, ClientRoom, ClientRooms } from '../domain/client.js';
import { RecentMap } from '../util/recent-map.js';
import type { Bus } from './bus/bus.js';
import { readWho } from './message.js';

export type ClusterRoomsOptions = {
  readonly bus: Pick<Bus, 'publish' | 'follow'>;
  /** The name of this server. */
  readonly server: string;
  readonly onError: (error: unknown) => void;
};

type Member = { readonly own: () => ClientList; readonly onOthers: (others: readonly ClientList[]) => void };

type Room = {
  readonly taskId: string;
  readonly members: Set<Member>;
  /** The clients at other servers. */
  readonly others: RecentMap<string, { readonly list: ClientList; readonly until: number }>;
  stop: () => void;
  isOver: boolean;
};

/** How often a list is repeated, and how long it is trusted: a server that dies sends no final list. */
const againMs = 5000;
const believedForMs = 12_000;
/** The limits of one room: the most recently heard servers, and the first clients of each. */
const maxServers = 100;
const maxOfServer = 50;

/** Reports to the other servers who takes part in a task here, as long as somebody does. */
export class ClusterRooms implements ClientRooms {
  readonly #options: ClusterRoomsOptions;
  readonly #rooms = new Map<string, Room>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: ClusterRoomsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#again(), againMs).unref();
  }

  /** Clients that take part in tasks here. */
  get clients(): number {
    let count = 0;
    for (const { members } of this.#rooms.values()) for (const { own } of members) count += sizeOf(own());
    return count;
  }

  enter(taskId: string, member: Member): ClientRoom {
    const room = this.#rooms.get(taskId) ?? this.#open(taskId);
    room.members.add(member);
    const changed = (): void => {
      this.#publish(room);
      this.#inform(room, member);
    };
    this.#inform(room);
    this.#publish(room);
    return {
      changed,
      leave: () => {
        room.members.delete(member);
        changed();
        if (room.members.size > 0) return;
        room.isOver = true;
        room.stop();
        if (this.#rooms.get(taskId) === room) this.#rooms.delete(taskId);
      },
    };
  }

  /** That server is gone, and its clients with it. */
  forget(server: string): void {
    for (const room of this.#rooms.values()) if (room.others.delete(server)) this.#inform(room);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { stop } of this.#rooms.values()) stop();
    this.#rooms.clear();
  }

  #open(taskId: string): Room {
    const room: Room = {
      taskId,
      members: new Set(),
      others: new RecentMap(maxServers),
      stop: () => {},
      isOver: false,
    };
    this.#rooms.set(taskId, room);
    this.#follow(room).catch(this.#options.onError);
    return room;
  }

  async #follow(room: Room): Promise<void> {
    const stop = await this.#options.bus.follow(room.taskId, (text) => this.#hear(room, text));
    if (room.isOver) return stop();
    room.stop = stop;
    this.#publish(room, true);
  }

  #hear(room: Room, text: string): void {
    const who = readWho(text);
    if (!who || room.isOver) return;
    const { server, asks = false, ...list } = who;
    const known = room.others.get(server)?.list;
    if (list.clients.length === 0) room.others.delete(server);
    else room.others.set(server, { list, until: performance.now() + believedForMs });
    // Most messages repeat the last list.
    if (JSON.stringify(known) !== JSON.stringify(list)) this.#inform(room);
    if (asks) this.#publish(room);
  }

  /** `asks`: the other servers should reply with their lists. */
  #publish({ taskId, members }: Room, asks = false): void {
    const lists = Array.from(members, ({ own }) => own());
    const clients = lists.flatMap((list) => list.clients).slice(0, maxOfServer);
    const more = lists.reduce((sum, list) => sum + sizeOf(list), 0) - clients.length;
    const { bus, server } = this.#options;
    const who = { server, clients, ...(more > 0 && { moreClients: more }), ...(asks && { asks }) };
    bus.publish(taskId, JSON.stringify({ who }));
  }

  /** Sends all members but `except` the clients elsewhere: at other servers, and in other mirrors of the task here. */
  #inform({ members, others }: Room, except?: Member): void {
    const far = Array.from(others.values(), ({ list }) => list);
    for (const member of members) {
      if (member === except) continue;
      const near = [...members].filter((other) => other !== member).map(({ own }) => own());
      member.onOthers([...near, ...far]);
    }
  }

  #again(): void {
    const now = performance.now();
    for (const room of this.#rooms.values()) {
      this.#publish(room);
      const late = [...room.others].filter(([, { until }]) => until <= now);
      for (const [server] of late) room.others.delete(server);
      if (late.length > 0) this.#inform(room);
    }
  }
}

function sizeOf({ clients, moreClients = 0 }: ClientList): number {
  return clients.length + moreClients;
}
