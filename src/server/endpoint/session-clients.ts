import type { Client } from '../../domain/client.js';
import type { Origin } from '../../domain/events.js';
import type { SessionPort } from '../../session/session-port.js';
import { defined } from '../../util/defined.js';

/** Clients beyond this number are only counted: everyone gets the list whenever somebody joins or leaves. */
const maxListed = 50;
/** The least time between two lists, so that a thousand clients that join do not cause a million messages. */
const restMs = 100;

export type ClientList = {
  readonly clients: readonly Client[];
  /** How many more there are. */
  readonly moreClients?: number;
};

/** Who takes part in a session, on whatever surface. It is no part of the session's events: it ends with the process. */
export class SessionClients {
  readonly #here = new Set<Client>();
  readonly #listeners = new Set<() => void>();
  /** Changes with the list. */
  version = 0;
  #willTell = false;
  #restUntil = 0;

  constructor({ engineOrigin: { surface }, startedAt: since }: SessionPort) {
    if (surface === 'tui') this.#here.add({ name: 'terminal', surface, since });
  }

  get list(): ClientList {
    const clients = [...this.#here].slice(0, maxListed);
    const more = this.#here.size - clients.length;
    return { clients, ...(more > 0 ? { moreClients: more } : {}) };
  }

  /** Returns a function to call when the client leaves. */
  join({ client = 'client', surface, principal }: Origin): () => void {
    const since = new Date().toISOString();
    const joined: Client = { name: this.#freeName(client), surface, ...defined({ principal }), since };
    this.#here.add(joined);
    this.#change();
    return () => {
      if (this.#here.delete(joined)) this.#change();
    };
  }

  /** Calls back soon after the list has changed, once for many changes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #freeName(name: string): string {
    const taken = new Set(Array.from(this.#here, (client) => client.name));
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
    return free;
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
    for (const listener of this.#listeners) listener();
  }
}

const opened = new WeakMap<SessionPort, SessionClients>();

export function clientsOf(session: SessionPort): SessionClients {
  const known = opened.get(session) ?? new SessionClients(session);
  opened.set(session, known);
  return known;
}
