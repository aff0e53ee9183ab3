import type { Origin } from './events.js';

/** Somebody who takes part in a session now. */
export type Client = {
  /** The name it gave itself or was given; a second client of that name is `ada 2`. */
  readonly name: string;
  readonly surface: Origin['surface'];
  readonly principal?: string;
  /** When it joined, ISO 8601 in UTC. */
  readonly since: string;
};

export type ClientList = {
  readonly clients: readonly Client[];
  /** How many more there are. */
  readonly moreClients?: number;
};

/** How the servers of a cluster learn about each other's clients, by task. */
export type ClientRooms = {
  /** `own`: who is here now. `onOthers` gets who is elsewhere, now and whenever that changes. */
  enter(
    taskId: string,
    member: { readonly own: () => ClientList; readonly onOthers: (others: readonly ClientList[]) => void },
  ): ClientRoom;
};

export type ClientRoom = {
  /** The list of clients here has changed. */
  changed(): void;
  leave(): void;
};
