import {
  type AnswerDetails,
  type ClientSession,
  connect,
  type ConnectionState,
  CosessionError,
  type SlashCommand,
} from '../../client/client.js';
import { defined } from '../../util/defined.js';
import { pageKey } from '../api.js';
import { serverNow } from '../ui/server-time.js';
import { onePerFrame } from './one-per-frame.js';
import { Latest } from './latest.js';
import { isTemporary, type Link, reasonOf } from './link.js';
import { prepend, reduce } from './reduce.js';
import { emptyStory, runningTurn, type Story } from './story.js';

const turnsAtOnce = 30;

/** What a session's screen shows, and what it can do. `subscribe` reports changes at most once per frame. */
export type SessionHandle = {
  readonly story: Story;
  readonly link: Link;
  subscribe(listener: () => void): () => void;
  prompt(text: string): Promise<unknown>;
  /** Prompts that the server has not confirmed yet. */
  readonly unsent: readonly string[];
  answer(callId: string, optionId: string, details: AnswerDetails): Promise<void>;
  /** Stops the turn that the reader sees running, and no other that has begun since. */
  stop(): Promise<void>;
  /** Takes a prompt back that waits in the queue. */
  takeBack(turnId: string): Promise<void>;
  commands(): Promise<readonly SlashCommand[]>;
  run(path: readonly string[], args: string): Promise<unknown>;
  /** Whether there were any. */
  loadOlder(): Promise<boolean>;
  close(): void;
};

const firstDelayMs = 500;
const longestDelayMs = 10_000;

export function openSessionHandle({ client, taskId }: { client: string; taskId: string | undefined }): SessionHandle {
  let story = emptyStory;
  let link: Link = { state: 'connecting' };
  let unsent: readonly string[] = [];
  let closeCode = 0;
  const end = new AbortController();
  const key = pageKey();
  const listeners = new Set<() => void>();
  const publish = onePerFrame(() => {
    for (const listener of listeners) listener();
  });
  const setLink = (next: Link): void => {
    link = next;
    publish();
  };
  const setLost = (): void => {
    if (link.state !== 'reconnecting')
      setLink({ state: 'reconnecting', since: serverNow(), tries: 0, reason: reasonOf(closeCode) });
  };
  const onState = (state: ConnectionState): void => {
    if (state === 'open') setLink({ state });
    else if (state === 'reconnecting') setLost();
  };
  /** Counts attempts and remembers how the last connection ended; the client library needs neither. */
  class ObservedSocket extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      if (link.state === 'reconnecting') setLink({ ...link, tries: link.tries + 1 });
      this.addEventListener('close', ({ code }) => (closeCode = code));
    }
  }
  const open = (): Promise<ClientSession> =>
    connect({
      url: new URL('.', location.href).href,
      client,
      ...defined({ taskId, pageKey: key }),
      history: { turns: turnsAtOnce },
      WebSocket: ObservedSocket,
      onState,
    });
  const current = new Latest<ClientSession>();
  const follow = async (): Promise<void> => {
    const session = await open();
    try {
      if (end.signal.aborted) return;
      current.set(session);
      for await (const event of session.watch()) {
        story = reduce(story, event);
        publish();
      }
      // It ends without an error if the session is over.
      await session.history();
    } finally {
      session.close();
    }
  };
  /** The library reconnects by itself. What it gives up may work a moment later: a server that starts, or is full. */
  const keepFollowing = async (): Promise<void> => {
    for (let delay = firstDelayMs; !end.signal.aborted; delay = Math.min(longestDelayMs, delay * 2)) {
      try {
        await follow();
      } catch (thrown) {
        const error = thrown instanceof CosessionError ? thrown : unknownError(thrown);
        if (end.signal.aborted) return;
        if (!isTemporary(error)) {
          current.fail(error);
          return setLink({ state: 'closed', error });
        }
        if (link.state === 'open') delay = firstDelayMs;
        current.reset();
        setLost();
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  };
  void keepFollowing();
  const using = async <T>(use: (session: ClientSession) => Promise<T>): Promise<T> => use(await current.value);
  const noteUnsent = (next: readonly string[]): void => {
    unsent = next;
    publish();
  };
  return {
    get story() {
      return story;
    },
    get link() {
      return link;
    },
    get unsent() {
      return unsent;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async prompt(text) {
      noteUnsent([...unsent, text]);
      return using((session) => session.prompt(text)).finally(() =>
        noteUnsent(unsent.toSpliced(unsent.indexOf(text), 1)),
      );
    },
    answer: (callId, optionId, details) => using((session) => session.approve(callId, optionId, details)),
    stop: () => using((session) => session.cancel(runningTurn(story)?.id)),
    takeBack: (turnId) => using((session) => session.cancel(turnId)),
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
    close() {
      end.abort();
      void current.value.then((session) => session.close()).catch(() => {});
    },
  };
}

function unknownError(error: unknown): CosessionError {
  return new CosessionError('internal', error instanceof Error ? error.message : String(error));
}
