import { Connection } from './connection.js';
import { CosessionError } from './transport/cosession-error.js';
import type { Endpoint } from './transport/endpoint.js';
import { ClientTurn } from './turn.js';
import { isLogged, type LoggedEvent, type ResyncEvent } from './wire-event.js';

/** The number of events kept for turns that nobody follows yet, while a pending reply may still name their turn. */
const maxStrays = 1000;

/** The turns this client started. Passes each turn its events. */
export class Turns {
  readonly #endpoint: Endpoint;
  readonly #byTurnId = new Map<string, ClientTurn>();
  readonly #byMessageId = new Map<string, ClientTurn>();
  readonly #replays = new Set<Connection>();
  #starting = 0;
  #strays: LoggedEvent[] = [];

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * Sends a request that starts a turn; the reply names the turn. Events may arrive before that reply:
   * those of a prompt are recognised by the `messageId`, others are kept until the reply arrives.
   */
  async start<T extends Started>(request: () => Promise<T>, messageId?: string): Promise<T & { turn: ClientTurn }> {
    const turn = new ClientTurn();
    if (messageId !== undefined && !this.#byMessageId.has(messageId)) this.#byMessageId.set(messageId, turn);
    this.#starting++;
    try {
      const started = await request();
      const { turnId, isDuplicate = false } = started;
      if (!turn.isFollowed) {
        if (isDuplicate) this.#replay(turnId, turn);
        else this.#follow(turnId, turn);
      }
      return { ...started, turn };
    } finally {
      if (messageId !== undefined && this.#byMessageId.get(messageId) === turn) this.#byMessageId.delete(messageId);
      if (--this.#starting === 0) this.#strays = [];
    }
  }

  onEvent(event: LoggedEvent): void {
    if (event.turnId === undefined) return;
    const own =
      event.kind === 'USER_MESSAGE' && event.messageId !== undefined && this.#byMessageId.get(event.messageId);
    if (own && !own.isFollowed) this.#follow(event.turnId, own);
    const turn = this.#byTurnId.get(event.turnId);
    if (turn?.push(event)) this.#byTurnId.delete(event.turnId);
    else if (!turn && this.#starting > 0 && this.#strays.length < maxStrays) this.#strays.push(event);
  }

  /** Fails all turns: the events they wait for may be among those that were lost. */
  fail(error: CosessionError): void {
    for (const turn of this.#byTurnId.values()) turn.fail(error);
    this.#byTurnId.clear();
  }

  close(error: CosessionError): void {
    this.fail(error);
    for (const connection of this.#replays) connection.close(error);
  }

  #follow(turnId: string, turn: ClientTurn): void {
    turn.isFollowed = true;
    this.#byTurnId.set(turnId, turn);
    const missed = this.#strays.filter((event) => event.turnId === turnId);
    for (const event of missed) if (turn.push(event)) this.#byTurnId.delete(turnId);
  }

  /** The turn began before we listened and may be over, so its events are replayed on a separate connection. */
  #replay(turnId: string, turn: ClientTurn): void {
    turn.isFollowed = true;
    const connection: Connection = new Connection({
      endpoint: this.#endpoint,
      after: 0,
      onEvent: (event) => {
        if (event.kind === 'RESYNC_REQUIRED') connection.close(eventsLost(event));
        else if (isLogged(event) && event.turnId === turnId && turn.push(event)) connection.close();
      },
      onClosed: (error) => {
        this.#replays.delete(connection);
        turn.fail(error);
      },
    });
    this.#replays.add(connection);
  }
}

export type Started = { readonly turnId: string; readonly isDuplicate?: boolean };

export function eventsLost({ oldest }: ResyncEvent): CosessionError {
  return new CosessionError('events-lost', `the server no longer has events before number ${oldest}`, { oldest });
}
