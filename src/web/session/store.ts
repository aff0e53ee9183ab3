import {
  type AnswerDetails,
  type ClientSession,
  connect,
  type ConnectionState,
  CosessionError,
  type SlashCommand,
} from '../../client/client.js';
import { pageKey } from '../api.js';
import { onePerFrame } from './one-per-frame.js';
import { type Link, reasonOf } from './link.js';
import { prepend, reduce } from './reduce.js';
import { emptyStory, type Story } from './story.js';

const turnsAtOnce = 30;

/** What a session's screen shows, and what it can do. `subscribe` tells of changes once per frame at most. */
export type Store = {
  readonly story: Story;
  readonly link: Link;
  subscribe(listener: () => void): () => void;
  prompt(text: string): Promise<unknown>;
  answer(callId: string, optionId: string, details: AnswerDetails): Promise<void>;
  /** Without an id: the turn that runs. */
  cancel(turnId?: string): Promise<void>;
  commands(): Promise<readonly SlashCommand[]>;
  run(path: readonly string[], args: string): Promise<unknown>;
  /** Whether there were any. */
  loadOlder(): Promise<boolean>;
  close(): void;
};

export function openStore({ client, taskId }: { client: string; taskId: string | undefined }): Store {
  let story = emptyStory;
  let link: Link = { state: 'connecting' };
  let closeCode = 0;
  const key = pageKey();
  const listeners = new Set<() => void>();
  const publish = onePerFrame(() => {
    for (const listener of listeners) listener();
  });
  const setLink = (next: Link): void => {
    link = next;
    publish();
  };
  const onState = (state: ConnectionState, error?: CosessionError): void => {
    if (state === 'open') setLink({ state });
    else if (state === 'reconnecting') setLink({ state, since: Date.now(), tries: 0, reason: reasonOf(closeCode) });
    else if (error) setLink({ state, error });
  };
  /** Counts attempts and remembers how the last connection ended; the client library needs neither. */
  class ObservedSocket extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      if (link.state === 'reconnecting') setLink({ ...link, tries: link.tries + 1 });
      this.addEventListener('close', ({ code }) => (closeCode = code));
    }
  }
  const opened = connect({
    url: new URL('.', location.href).href,
    client,
    ...(taskId === undefined ? {} : { taskId }),
    ...(key === undefined ? {} : { pageKey: key }),
    history: { turns: turnsAtOnce },
    WebSocket: ObservedSocket,
    onState,
  });
  const follow = async (): Promise<void> => {
    for await (const event of (await opened).watch()) {
      story = reduce(story, event);
      publish();
    }
  };
  follow().catch((error: unknown) => {
    setLink({ state: 'closed', error: error instanceof CosessionError ? error : unknownError(error) });
  });
  const using = async <T>(use: (session: ClientSession) => Promise<T>): Promise<T> => use(await opened);
  return {
    get story() {
      return story;
    },
    get link() {
      return link;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prompt: (text) => using((session) => session.prompt(text)),
    answer: (callId, optionId, details) => using((session) => session.approve(callId, optionId, details)),
    cancel: (turnId) => using((session) => session.cancel(turnId)),
    commands: () => using((session) => session.commands()),
    run: (path, args) => using((session) => session.run(path, args)),
    loadOlder: () =>
      using(async (session) => {
        const { oldest } = story;
        const history = await session.history({ before: oldest, turns: turnsAtOnce });
        const hasMore = history.events.length > 0;
        if (story.oldest === oldest && hasMore) story = prepend(story, history);
        publish();
        return hasMore;
      }),
    close: () => void opened.then((session) => session.close()).catch(() => {}),
  };
}

function unknownError(error: unknown): CosessionError {
  return new CosessionError('internal', error instanceof Error ? error.message : String(error));
}
