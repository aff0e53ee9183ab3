import { until } from '../until.js';
import { Connection, Lost, Refused, type Reply } from './connection.js';
import { type Moment, momentOf } from './moments.js';
import { StreamRecord } from './record.js';
import { mayBeRefused } from './refusals.js';
import type { Scene } from './scene.js';
import type { Told } from './told.js';

export type Prompt = { readonly id: string; readonly text: string };
/** An answer that was sent, and whether the server said that it has it. */
export type Given = { readonly callId: string; readonly optionId: string; readonly key: string; isAccepted: boolean };

/** A task of so many events is too long for a server to keep all of them in memory. */
const longTask = 10_000;
/** Up to here everything is told again in every life; of a longer task the store's own tables tell the rest. */
const replayed = 4000;

/** A client of one task that remembers everything it did and was told in all lives of the server. */
export class Witness {
  readonly taskId: string;
  /** It is for long replies. */
  readonly isLong: boolean;
  /** Its tools run without being asked about. */
  readonly autoExecute: boolean;
  readonly record = new StreamRecord();
  readonly prompts = new Map<string, Prompt>();
  /** The turn of each prompt that was accepted, by the id of the prompt. */
  readonly accepted = new Map<string, string>();
  readonly answers: Given[] = [];
  /** Turns that somebody wanted to end, and those whose cancel was accepted. */
  readonly stopped = new Set<string>();
  readonly canceled = new Set<string>();
  /** Turns with a webhook that the server said it has. */
  readonly webhooks = new Set<string>();
  /** What was not as promised. */
  readonly broken: string[] = [];
  isCreated = false;
  deletion: 'none' | 'asked' | 'accepted' = 'none';
  #heard = 0;
  #connection: Connection | undefined;
  #visits = 0;

  constructor(taskId: string, wishes: { isLong?: boolean; autoExecute?: boolean } = {}) {
    this.taskId = taskId;
    this.isLong = wishes.isLong ?? false;
    this.autoExecute = wishes.autoExecute ?? false;
  }

  get isConnected(): boolean {
    return this.#connection?.isOpen === true;
  }

  get isTooLongForMemory(): boolean {
    return this.record.events.length > longTask;
  }

  /** Makes the task if it is not there yet, and has it told again; what is news is a moment of this life. */
  async connect(scene: Scene): Promise<void> {
    // In a cluster, a turn may end while the connection stays; two connections would be heard in a mixed order.
    this.disconnect();
    if (!this.isCreated) await this.#create(scene);
    const known = this.record.events.length;
    const after = known > replayed ? known : 0;
    this.#heard = after;
    const url = `${scene.server.base.replace('http', 'ws')}/ws?taskId=${this.taskId}&after=${after}`;
    try {
      this.#connection = await Connection.open(url, (said) => this.#hear(said, known, scene));
    } catch (error) {
      if (error instanceof Refused) this.checkRefusal(scene, error.code, 'a connection');
      throw error;
    }
    const again = until(() => this.#heard >= known || this.broken.length > 0).catch(() => {
      this.broken.push(`of ${known} events that were told ${this.#heard} are left`);
    });
    await this.#connection.unlessLost(again);
    scene.tally.add('connections');
    if (this.#visits++ > 0) scene.happened('task opened again');
  }

  disconnect(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** A request on the socket. `onAccepted` is called in the tick of the reply; a refusal that may not be is noted. */
  async call(
    scene: Scene,
    [method, params]: readonly [string, unknown],
    onAccepted: (result: NonNullable<Reply['result']>) => void,
    mayRefuse: (code: string) => boolean = () => false,
  ): Promise<void> {
    if (!this.#connection) throw new Lost('not connected');
    await this.#connection.call(method, params, ({ result, error }) => {
      if (result) return onAccepted(result);
      const code = error?.data?.code ?? String(error?.message);
      if (!mayRefuse(code)) this.checkRefusal(scene, code, `${method} ${JSON.stringify(params)}`);
    });
  }

  checkRefusal(scene: Scene, code: string, request: string): void {
    if (code === 'store-unavailable') scene.storeWasMissed();
    if (!mayBeRefused(code, scene)) this.broken.push(`${request} was refused: ${code}`);
    else scene.tally.add(`refused for now: ${code}`);
  }

  async #create(scene: Scene): Promise<void> {
    const { taskId, autoExecute } = this;
    const response = await scene.server
      .post('tasks', { contextId: taskId, agentSettings: { autoExecute } })
      .catch((cause: unknown) => {
        throw new Lost('not created', { cause });
      });
    this.isCreated = response.status === 201;
    if (this.isCreated) return;
    const { error } = (await response.json()) as { error: { code: string } };
    this.checkRefusal(scene, error.code, 'a new task');
    throw new Refused(error.code);
  }

  #hear(said: Told, known: number, scene: Scene): void {
    const { kind, seq } = said;
    if (kind === 'ERROR' && seq === undefined) scene.storeWasMissed();
    if (seq === undefined || kind === undefined) return;
    if (seq !== this.#heard + 1) this.broken.push(`after event ${this.#heard} came ${JSON.stringify(said)}`);
    const untrue = this.record.note(said, seq);
    if (untrue !== undefined) this.broken.push(untrue);
    this.#heard = seq;
    if (seq > known) for (const moment of this.#momentsOf(said)) scene.happened(moment);
  }

  #momentsOf(said: Told): readonly Moment[] {
    const moment = momentOf(said);
    if (!moment) return [];
    return moment === 'speaking' && this.isTooLongForMemory ? [moment, 'speaking in a long task'] : [moment];
  }
}
