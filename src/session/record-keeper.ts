import type { SessionEvent } from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { Store, StoredTask } from '../stores/store.js';
import type { Session } from './session.js';

const textType = 'text/plain; charset=utf-8';

export type RecordKeeperOptions = {
  readonly store: Store;
  readonly session: Session;
  readonly record: StoredTask;
  /** What happened up to this event was kept in an earlier life. */
  readonly keptUntil: number;
  readonly onError: (error: unknown) => void;
};

/** Keeps a task's record and artifacts in the store while its session runs. */
export class RecordKeeper {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  readonly #stop: () => void;
  #record: StoredTask;

  constructor({ store, session, record, keptUntil, onError }: RecordKeeperOptions) {
    this.#store = store;
    this.#onError = onError;
    this.#record = record;
    this.#stop = session.observe((event) => {
      if (event.seq > keptUntil) this.#onEvent(event);
    });
  }

  get record(): StoredTask {
    return this.#record;
  }

  stop(): void {
    this.#stop();
  }

  #onEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'prompt':
        return this.#save({ updatedAt: event.at, metadata: titled(this.#record, event.text) });
      case 'turn':
        return this.#save({ state: event.state, updatedAt: event.at });
      case 'settings':
        return this.#save({ model: event.model });
      case 'tool':
        return this.#keepOutput(event.call, event.at);
      default:
        return undefined;
    }
  }

  #save(news: Partial<StoredTask>): void {
    this.#record = { ...this.#record, ...news };
    this.#store.saveTask(this.#record).catch(this.#onError);
  }

  /** A file that was written, or what a tool printed. */
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

/** A task is called by the first thing it was asked. */
function titled({ metadata }: StoredTask, text: string): StoredTask['metadata'] {
  return 'title' in metadata ? metadata : { ...metadata, title: text.slice(0, 100) };
}
