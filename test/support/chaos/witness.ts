import { once } from 'node:events';
import { until } from '../until.js';
import { WireClient, type WireEvent } from '../wire-client.js';

type ToolUpdate = WireEvent & { tool_call_id: string; status: string; input_parameters: { description?: string } };

/**
 * A client of one task that remembers everything it was told in all lives of the server, and holds the next life to it:
 * what was said once is said again, word for word, under the same number.
 */
export class Witness {
  readonly taskId: string;
  /** Accepted prompts: what the server said yes to. */
  readonly accepted = new Map<string, { readonly turnId: string; readonly id: string }>();
  /** Run ids of calls whose refusal was accepted. */
  readonly declined = new Set<string>();
  /** Promises that were not kept. */
  readonly broken: string[] = [];
  readonly #told = new Map<number, string>();
  #events: WireEvent[] = [];
  #client: WireClient | undefined;
  #onEvent: (event: WireEvent) => void = () => {};
  #lost: Promise<never> | undefined;

  constructor(taskId: string) {
    this.taskId = taskId;
  }

  get events(): readonly WireEvent[] {
    return this.#events;
  }

  get toldCount(): number {
    return this.#told.size;
  }

  get client(): WireClient {
    if (!this.#client) throw new Error('not connected');
    return this.#client;
  }

  /** Connects to a new life and has everything told again from the first event on. */
  async connect(base: string, onEvent: (event: WireEvent) => void = () => {}): Promise<void> {
    this.#onEvent = () => {};
    this.#events = [];
    const client = await WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=${this.taskId}&after=0`);
    this.#client = client;
    this.#lost = once(client.socket, 'close').then(() => {
      throw new Error('the connection was lost');
    });
    this.#lost.catch(() => {});
    client.socket.on('message', (data: Buffer) => this.#note(JSON.parse(data.toString()) as WireEvent));
    for (const event of client.seen) this.#note(event);
    const known = this.#told.size;
    await until(() => this.#events.length >= known, 20_000);
    this.#onEvent = onEvent;
  }

  disconnect(): void {
    this.#client?.socket.terminate();
  }

  /** `id`: what the tools of the prompt leave behind. */
  async prompt(kind: string, id: string): Promise<void> {
    const { result } = await this.#call('message/send', {
      message: { messageId: id, content: { text: `${kind} ${id}` } },
    });
    if (result) this.accepted.set(id, { turnId: String(result['turnId']), id });
  }

  async answer(callId: string, optionId: string): Promise<void> {
    const data = { kind: 'TOOL_CALL_CONFIRMATION', tool_call_id: callId, selected_option_id: optionId };
    const { result } = await this.#call('message/send', { message: { content: { data } } });
    const id = this.calls.get(callId)?.input_parameters.description;
    if (result && optionId === 'cancel' && id !== undefined) this.declined.add(id);
  }

  async cancel(turnId: string): Promise<void> {
    await this.#call('tasks/cancel', { id: turnId });
  }

  /** Turns that have not ended: those that were accepted, and those whose acceptance a crash kept from us. */
  get openTurns(): readonly string[] {
    const accepted = [...this.accepted.values()].map(({ turnId }) => turnId);
    const told = this.#events.flatMap(({ kind, turnId }) => (kind === 'USER_MESSAGE' ? [String(turnId)] : []));
    return [...new Set([...accepted, ...told])].filter((turnId) => this.endsOf(turnId).length === 0);
  }

  /** Calls of the newest state that wait for an answer. */
  get pending(): readonly ToolUpdate[] {
    return [...this.calls.values()].filter((call) => call['confirmation_request'] !== undefined);
  }

  /** By call id, as last told. */
  get calls(): ReadonlyMap<string, ToolUpdate> {
    const updates = this.#events.filter((event): event is ToolUpdate => event.kind === 'TOOL_CALL_UPDATE');
    return new Map(updates.map((update) => [update.tool_call_id, update]));
  }

  endsOf(turnId: string): readonly WireEvent[] {
    return this.#events.filter((event) => event['turnId'] === turnId && event['final'] === true);
  }

  /** Rejects when the server dies meanwhile. A refusal is a reply too. */
  async #call(method: string, params: unknown): Promise<{ result?: Record<string, unknown> }> {
    const reply = await Promise.race([this.client.call(method, params), this.#lost]);
    return reply as { result?: Record<string, unknown> };
  }

  #note(event: WireEvent): void {
    const { seq } = event;
    if (seq === undefined || event.kind === undefined) return;
    if (seq <= this.#events.length) return;
    const text = JSON.stringify(event);
    const before = this.#told.get(seq) ?? text;
    if (seq !== this.#events.length + 1)
      this.broken.push(`${this.taskId}: after event ${this.#events.length} came ${text}`);
    if (text !== before) this.broken.push(`${this.taskId}: event ${seq} was ${before} and became ${text}`);
    this.#told.set(seq, text);
    this.#events.push(event);
    this.#onEvent(event);
  }
}
