import { isTurnEnd, type SessionEvent, type TurnState } from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { Store, StoredTask } from '../stores/store.js';
import type { Session } from '../session/session.js';

const textType = 'text/plain; charset=utf-8';

export type RecordKeeperOptions = {
  readonly store: Store;
  readonly session: Session;
  readonly record: StoredTask;
  /** Events up to this one were recorded in an earlier run. */
  readonly keptUntil: number;
  readonly onError: (error: unknown) => void;
};

/** Keeps a task's record and artifacts in the store while its session runs. */
export class RecordKeeper {
  readonly #store: Store;
  readonly #session: Session;
  readonly #onError: (error: unknown) => void;
  readonly #stop: () => void;
  #record: StoredTask;
  #saving: Promise<void> = Promise.resolve();

  constructor({ store, session, record, keptUntil, onError }: RecordKeeperOptions) {
    this.#store = store;
    this.#session = session;
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
        return this.#save({ state: this.#state, updatedAt: event.at, metadata: titled(this.#record, event.text) });
      case 'turn':
        return this.#save({ state: this.#state, updatedAt: event.at });
      case 'settings':
        return this.#save({ model: event.model });
      case 'tool':
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

  #save(news: Partial<StoredTask>): void {
    this.#record = { ...this.#record, ...news };
    this.#saving = this.#store.saveTask(this.#record).catch(this.#onError);
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

/** A task is titled by its first prompt. */
function titled({ metadata }: StoredTask, text: string): StoredTask['metadata'] {
  return 'title' in metadata ? metadata : { ...metadata, title: text.slice(0, 100) };
}
