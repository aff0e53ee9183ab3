import type { Client, ClientList, ClientRoom, ClientRooms } from '../../domain/client.js';
import type { Origin } from '../../domain/events.js';
import type { SessionPort } from '../../session/session-port.js';
import { defined } from '../../util/defined.js';

/** Clients beyond this number are only counted: everyone gets the list whenever somebody joins or leaves. */
const maxListed = 50;
/** The minimum time between two lists: otherwise a thousand joining clients would cause a million messages. */
const restMs = 100;

/** A client's place in a session, until it leaves. Its origin has a name that nobody else here has. */
export type Membership = { readonly origin: Origin; readonly leave: () => void };

/**
 * The clients that take part in a session, on any surface. The list is not part of the session's events and ends with the
 * process.
 */
export class SessionClients {
  readonly #here = new Set<Client>();
  readonly #listeners = new Set<() => void>();
  readonly #taskId: string;
  /** Who is at other servers. */
  #others: readonly ClientList[] = [];
  #rooms: ClientRooms | undefined;
  #room: ClientRoom | undefined;
  /** Changes with the list. */
  version = 0;
  #willTell = false;
  #isNewToOthers = false;
  #restUntil = 0;

  constructor({ id, engineOrigin: { surface }, startedAt: since }: SessionPort) {
    this.#taskId = id;
    if (surface === 'tui') this.#here.add({ name: 'terminal', surface, since });
  }

  /** Everybody who takes part, at any server. */
  get list(): ClientList {
    const far = this.#others.flatMap(({ clients }) => clients);
    if (far.length === 0) return shortened([...this.#here]);
    const more = this.#others.reduce((sum, { moreClients = 0 }) => sum + moreClients, 0);
    const { clients, ...rest } = shortened([...this.#here, ...far].toSorted(byTime), more);
    return { clients: apart(clients), ...rest };
  }

  /** From now on, clients at other servers are listed too. */
  connect(rooms: ClientRooms): void {
    this.#rooms = rooms;
  }

  join({ client = 'client', surface, principal }: Origin): Membership {
    const since = new Date().toISOString();
    const name = this.#nameFor(client);
    const joined: Client = { name, surface, ...defined({ principal }), since };
    this.#here.add(joined);
    this.#changeHere();
    return {
      origin: { surface, client: name, ...defined({ principal }) },
      leave: () => {
        if (this.#here.delete(joined)) this.#changeHere();
      },
    };
  }

  /** Calls back soon after the list has changed, once for many changes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #nameFor(name: string): string {
    const all = [...this.#here, ...this.#others.flatMap(({ clients }) => clients)];
    return freeName(name, new Set(all.map((client) => client.name)));
  }

  #changeHere(): void {
    this.#change();
    if (this.#here.size === 0) {
      this.#room?.leave();
      this.#room = undefined;
      this.#others = [];
    } else if (this.#room) this.#isNewToOthers = true;
    else
      this.#room = this.#rooms?.enter(this.#taskId, {
        own: () => shortened([...this.#here]),
        onOthers: (others) => {
          this.#others = others;
          this.#change();
        },
      });
  }

  #change(): void {
    this.version++;
    if (this.#willTell) return;
    this.#willTell = true;
    setTimeout(() => this.#tell(), Math.max(0, this.#restUntil - Date.now())).unref();
  }

  #tell(): void {
    this.#willTell = false;
    this.#restUntil = Date.now() + restMs;
    if (this.#isNewToOthers) this.#room?.changed();
    this.#isNewToOthers = false;
    for (const listener of this.#listeners) listener();
  }
}

/** At most `maxListed` clients, and how many more there are. */
function shortened(all: readonly Client[], uncounted = 0): ClientList {
  const clients = all.slice(0, maxListed);
  const more = all.length - clients.length + uncounted;
  return { clients, ...(more > 0 ? { moreClients: more } : {}) };
}

function byTime(a: Client, b: Client): number {
  return a.since < b.since ? -1 : Number(a.since > b.since);
}

/** Two servers may have given the same name at the same moment. */
function apart(clients: readonly Client[]): Client[] {
  const taken = new Set<string>();
  return clients.map((client) => {
    const name = freeName(client.name, taken);
    taken.add(name);
    return { ...client, name };
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}

const opened = new WeakMap<SessionPort, SessionClients>();

export function clientsOf(session: SessionPort): SessionClients {
  const known = opened.get(session) ?? new SessionClients(session);
  opened.set(session, known);
  return known;
}
