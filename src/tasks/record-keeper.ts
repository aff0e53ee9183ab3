import { isTurnEnd, type SessionEvent, type TurnState } from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { Store, StoredTask } from '../stores/store.js';
import type { Session } from '../session/session.js';
import { shortText, sessionTitle } from '../domain/short-text.js';
import { digestOf, lastLength, type TaskDigest, toPending, withDigest } from './task-digest.js';
import { defined } from '../util/defined.js';

const textType = 'text/plain; charset=utf-8';

export type RecordKeeperOptions = {
  readonly store: Store;
  readonly session: Session;
  readonly record: StoredTask;
  /** Events up to this one were recorded in an earlier run. */
  readonly keptUntil: number;
  /** The store has a new version of the record. */
  readonly onSaved: (record: StoredTask) => void;
  readonly onError: (error: unknown) => void;
};

/** Keeps a task's record and artifacts in the store while its session runs. */
export class RecordKeeper {
  readonly #store: Store;
  readonly #session: Session;
  readonly #onSaved: (record: StoredTask) => void;
  readonly #onError: (error: unknown) => void;
  readonly #stop: () => void;
  #record: StoredTask;
  #saving: Promise<void> = Promise.resolve();
  #isChanged = false;
  /** What the agent has said since its last tool call, as far as a list shows it. */
  #said = '';
  /** False after a prompt or a tool call: the next text is not a part of what was said before. */
  #saysMore = true;

  constructor({ store, session, record, keptUntil, onSaved, onError }: RecordKeeperOptions) {
    this.#store = store;
    this.#session = session;
    this.#onSaved = onSaved;
    this.#onError = onError;
    this.#record = record;
    this.#stop = session.observe((event, whole) => event.seq > keptUntil && this.#onEvent(whole));
    // A crash may have come after an event but before its record was saved.
    if (this.#state !== this.#record.state) this.#save({ state: this.#state });
  }

  get record(): StoredTask {
    return this.#record;
  }

  /** Resolves once the current record is stored. */
  stop(): Promise<void> {
    this.#stop();
    return this.#saving;
  }

  #onEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'prompt':
        this.#saysMore = false;
        return this.#save({ state: this.#state, updatedAt: event.at, ...this.#digest(sessionTitle(event.text)) });
      case 'turn':
        return this.#save({ state: this.#state, updatedAt: event.at, ...this.#digest() });
      case 'settings':
        return this.#save({ model: event.model });
      case 'text':
      case 'reply':
        return this.#onText(event.text);
      case 'tool':
        this.#onTool(event.call);
        return this.#keepOutput(event.call, event.at);
      default:
        return undefined;
    }
  }

  /** A restart finds unfinished tasks by it: a task with a queued prompt has not ended, whatever its last turn did. */
  get #state(): TurnState {
    const { state, queued } = this.#session;
    return isTurnEnd(state) && queued > 0 ? 'submitted' : state;
  }

  /** What a list shows. The first prompt is the title for good. */
  #digest(prompt?: string): Pick<StoredTask, 'metadata'> {
    const { title = prompt, last } = digestOf(this.#record);
    const said = shortText(this.#said, lastLength) || last;
    const digest: TaskDigest = { ...defined({ title, last: said }), pending: this.#pending };
    return { metadata: withDigest(this.#record.metadata, digest) };
  }

  get #pending(): TaskDigest['pending'] {
    const { calls } = this.#session.recall.state;
    return toPending(Array.from(calls.values(), ({ call }) => call));
  }

  /** A question that opens or closes changes the list, even if the state of the turn stays the same. */
  #onTool(call: ToolCall): void {
    const known = digestOf(this.#record).pending.some(({ id }) => id === call.id);
    if (known !== (call.status === 'waiting')) this.#save(this.#digest());
    this.#saysMore = false;
  }

  #onText(text: string): void {
    if (!this.#saysMore) this.#said = '';
    this.#saysMore = true;
    // White space is dropped later; four times the length is enough for it.
    if (this.#said.length < lastLength * 4) this.#said += text.slice(0, lastLength * 4);
  }

  /** Several events in one go, such as a prompt and the start of its turn, are one new version. */
  #save(news: Partial<StoredTask>): void {
    this.#record = { ...this.#record, ...news };
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#saving = Promise.resolve()
      .then(() => this.#saveNow())
      .catch(this.#onError);
  }

  async #saveNow(): Promise<void> {
    this.#isChanged = false;
    const record = this.#record;
    await this.#store.saveTask(record);
    this.#onSaved(record);
  }

  /** Saves a file that was written, or what a tool printed. */
  #keepOutput(call: ToolCall, createdAt: string): void {
    if (call.status !== 'succeeded' || call.output.kind === 'data') return;
    const isFile = call.output.kind === 'diff';
    const text = call.output.kind === 'diff' ? call.output.diff.newContent : call.output.text;
    if (!isFile && text === '') return;
    const name = isFile ? this.#nameOf(call) : `tool-outputs/${call.id}.txt`;
    const content = Buffer.from(text);
    const artifact = { name, mediaType: textType, size: content.length, createdAt };
    this.#store.saveArtifact(this.#record.id, artifact, content).catch(this.#onError);
  }

  #nameOf(call: ToolCall & { status: 'succeeded' }): string {
    if (call.output.kind !== 'diff') return call.id;
    const { filePath, fileName } = call.output.diff;
    const root = `${this.#record.workspace}/`;
    return filePath.startsWith(root) ? filePath.slice(root.length) : fileName;
  }
}
