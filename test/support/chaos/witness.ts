import { until } from '../until.js';
import type { WireEvent } from '../wire-client.js';
import { Connection, type Reply } from './connection.js';

export type ToolUpdate = WireEvent & {
  tool_call_id: string;
  status: string;
  input_parameters: { description?: string };
};

export type Prompt = { readonly id: string; readonly text: string };

/**
 * A client of one task that remembers everything it was told in all lives of the server, and holds the next life to it:
 * what was said once is said again, word for word, under the same number.
 */
export class Witness {
  readonly taskId: string;
  /** The turn of each prompt that was accepted, by the id of the prompt. */
  readonly accepted = new Map<string, string>();
  /** Calls that somebody refused, heard or not, and those whose refusal was accepted. */
  readonly refused = new Set<string>();
  readonly declined = new Set<string>();
  /** Turns that somebody wanted to end. */
  readonly stopped = new Set<string>();
  /** Promises that were not kept. */
  readonly broken: string[] = [];
  readonly #sent = new Map<string, Prompt>();
  /** All that was ever told, and how much of it in this life. */
  readonly #told: WireEvent[] = [];
  #heard = 0;
  #connection: Connection | undefined;
  #onSaid: (said: WireEvent) => void = () => {};

  constructor(taskId: string) {
    this.taskId = taskId;
  }

  get events(): readonly WireEvent[] {
    return this.#told;
  }

  /** Connects to a new life and has everything told again from the first event on; what is news goes to `onSaid`, too. */
  async connect(base: string, onSaid: (said: WireEvent) => void = () => {}): Promise<void> {
    this.#onSaid = onSaid;
    this.#heard = 0;
    const known = this.#told.length;
    const url = `${base.replace('http', 'ws')}/ws?taskId=${this.taskId}&after=0`;
    this.#connection = await Connection.open(url, (said) => this.#hear(said, known));
    const again = until(() => this.#heard >= known).catch(() => {
      throw new Error(`${this.taskId}: of ${known} events that were told ${this.#heard} are left`);
    });
    await this.#connection.unlessLost(again);
  }

  disconnect(): void {
    this.#connection?.close();
  }

  async prompt(prompt: Prompt): Promise<void> {
    const { id, text } = prompt;
    this.#sent.set(id, prompt);
    await this.#call('message/send', { message: { messageId: id, content: { text } } }, ({ result }) => {
      if (result) this.accepted.set(id, String(result['turnId']));
    });
  }

  get sent(): readonly Prompt[] {
    return [...this.#sent.values()];
  }

  /** Prompts of which nobody knows whether the server took them. */
  get unacknowledged(): readonly Prompt[] {
    return this.sent.filter(({ id }) => !this.accepted.has(id));
  }

  async answer(callId: string, optionId: string): Promise<void> {
    const isNo = optionId === 'cancel';
    if (isNo) this.refused.add(callId);
    const data = { kind: 'TOOL_CALL_CONFIRMATION', tool_call_id: callId, selected_option_id: optionId };
    await this.#call('message/send', { message: { content: { data } } }, ({ result, error }) => {
      if (result && isNo) this.declined.add(callId);
      // A question that was asked and is not answered is open, from the first moment of the next life on.
      if (error?.data?.code === 'unknown-tool-call' && this.pending.some((call) => call.tool_call_id === callId))
        this.broken.push(`an answer to ${callId} was refused although it is open`);
    });
  }

  async cancel(turnId: string): Promise<void> {
    this.stopped.add(turnId);
    await this.#call('tasks/cancel', { id: turnId }, () => {});
  }

  /** Turns that have not ended: those that were accepted, and those whose acceptance a crash kept from us. */
  get openTurns(): readonly string[] {
    const told = this.#told.flatMap(({ kind, turnId }) => (kind === 'USER_MESSAGE' ? [String(turnId)] : []));
    const ended = new Set(this.#told.flatMap(({ final, turnId }) => (final === true ? [String(turnId)] : [])));
    return [...new Set([...this.accepted.values(), ...told])].filter((turnId) => !ended.has(turnId));
  }

  /** Calls that wait for an answer. */
  get pending(): readonly ToolUpdate[] {
    return [...this.calls.values()].filter((call) => call['confirmation_request'] !== undefined);
  }

  /** By call id, as last told. */
  get calls(): ReadonlyMap<string, ToolUpdate> {
    const updates = this.#told.filter((event): event is ToolUpdate => event.kind === 'TOOL_CALL_UPDATE');
    return new Map(updates.map((update) => [update.tool_call_id, update]));
  }

  async #call(method: string, params: unknown, onReply: (reply: Reply) => void): Promise<void> {
    if (!this.#connection) throw new Error('not connected');
    await this.#connection.call(method, params, onReply);
  }

  #hear(said: WireEvent, known: number): void {
    if (said.seq !== undefined && said.kind !== undefined) this.#note(said, said.seq);
    if (this.#heard > known || said.seq === undefined) this.#onSaid(said);
  }

  #note(event: WireEvent, seq: number): void {
    const before = this.#told[seq - 1];
    if (seq !== this.#heard + 1) this.broken.push(`after event ${this.#heard} came ${JSON.stringify(event)}`);
    else if (before && JSON.stringify(before) !== JSON.stringify(event))
      this.broken.push(`event ${JSON.stringify(before)} became ${JSON.stringify(event)}`);
    this.#told[seq - 1] = event;
    this.#heard = seq;
  }
}
