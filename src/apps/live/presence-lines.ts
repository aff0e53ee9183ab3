import { type Role, roles } from '../../auth/roles.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Presence } from '../../server/endpoint/lobby.js';

/** Clients that join, connect or leave within this time share one line, so many clients cannot flood the terminal. */
const gatherMs = 300;
const maxNames = 5;

/** Shows in the terminal who pairs a browser, who connects and who leaves. */
export class PresenceLines implements Presence {
  readonly #show: (line: string) => void;
  readonly #log: ServerLog;
  readonly #here = new Map<string, number>();
  #paired: (readonly [label: string, role: Role])[] = [];
  #joined: string[] = [];
  #left: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(show: (line: string) => void, log: ServerLog) {
    this.#show = show;
    this.#log = log;
  }

  joined(client: string, count: number): void {
    this.#here.set(client, (this.#here.get(client) ?? 0) + 1);
    this.#joined.push(client);
    this.#log.info('A2A client connected', { client, count });
    this.#soon();
  }

  left(client: string, count: number): void {
    const remaining = (this.#here.get(client) ?? 1) - 1;
    if (remaining === 0) this.#here.delete(client);
    else this.#here.set(client, remaining);
    this.#left.push(client);
    this.#log.info('A2A client disconnected', { client, count });
    this.#soon();
  }

  paired(label: string, role: Role): void {
    this.#log.info('browser paired', { label, role });
    this.#paired.push([label, role]);
    this.#soon();
  }

  get names(): string {
    const total = [...this.#here.values()].reduce((sum, count) => sum + count, 0);
    return total === 0 ? 'no clients' : `${total} client${total === 1 ? '' : 's'}: ${list([...this.#here.keys()])}`;
  }

  #soon(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#tell(), gatherMs);
    this.#timer.unref();
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#paired.length > 0) this.#show(pairedLine(this.#paired));
    this.#paired = [];
    if (this.#joined.length + this.#left.length === 0) return;
    const came = this.#joined.length > 0 ? [`A2A client connected: ${list(this.#joined)}`] : [];
    const went = this.#left.length > 0 ? [`A2A client left: ${list(this.#left)}`] : [];
    this.#joined = [];
    this.#left = [];
    this.#show(`${[...came, ...went].join(' · ')} (now ${this.names})`);
  }
}

/** By role: who may do what matters more than who came first. */
function pairedLine(paired: readonly (readonly [label: string, role: Role])[]): string {
  const parts = roles.map((role) => {
    const labels = paired.flatMap(([label, given]) => (given === role ? [label] : []));
    return labels.length === 0 ? [] : [`${list(labels)} joined, may ${role}`];
  });
  return parts.flat().join(' · ');
}

function list(names: readonly string[]): string {
  const more = names.length - maxNames;
  return more > 0 ? `${names.slice(0, maxNames).join(', ')} and ${more} more` : names.join(', ');
}
