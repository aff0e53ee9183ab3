/* oxlint-disable typescript/no-unsafe-type-assertion -- the door to the CLI: its hooks have no types we could import; test/e2e/attach-contract.test.ts checks them */
import type {
  CliActionQuestion,
  CliAddItem,
  CliClient,
  CliConfig,
  CliHandleSlashCommand,
  CliHistoryItem,
  CliLoopQuestion,
  CliQueue,
  CliQueueOptions,
  CliSettings,
  CliShellQuestion,
  CliSlash,
  CliSlashCommand,
  CliStream,
  CliSubmitQuery,
} from './cli-types.js';
import type { Tap } from './tap.js';

/** What the terminal reports to its one listener, the live engine. Called inside a React render, so it must not draw. */
export type TerminalListener = {
  /** The user interface was drawn again; anything may have changed. */
  rendered(): void;
  /** The chat client that the next turn will use. A login may replace it. */
  client(client: CliClient): void;
  /** The open dialogs that do not use the message bus. */
  dialogs(open: OpenDialogs): void;
  /** The user wants to start a turn. False: not now, keep the text in the CLI's own queue. */
  typed(text: string): boolean;
  /** The call that `typed` allowed has returned. */
  settled(): void;
};

export type OpenDialogs = {
  readonly loop?: CliLoopQuestion | undefined;
  readonly shell?: CliShellQuestion | undefined;
  readonly action?: CliActionQuestion | undefined;
};

/** `/a2a` and any other command that we add to the CLI. */
export type AddedCommand = CliSlashCommand & { run(args: string): string | Promise<string> };

/** Marks our own history items, which we do not report back. */
const ours = { cosession: true };

/**
 * The Gemini CLI's user interface, seen from outside: the newest values of its hooks and the few actions they allow.
 * The only place that knows the shape of the hooks.
 */
export class Terminal {
  config: CliConfig | undefined;
  settings: CliSettings | undefined;
  history: readonly CliHistoryItem[] = [];
  /** The CLI's figures of this session, in its own form. */
  stats: unknown;
  readonly added: AddedCommand[] = [];
  /** The CLI is the release that we ship, not one that the user installed. */
  readonly isPinned: boolean;
  /** Called once, after the user interface was drawn for the first time. */
  onFirstRender: (() => void) | undefined;

  #listener: TerminalListener | undefined;
  #client: CliClient | undefined;
  #stream: CliStream | undefined;
  #addItem: CliAddItem | undefined;
  #queue: CliQueue | undefined;
  #queueOptions: CliQueueOptions | undefined;
  #slashCommands: readonly CliSlashCommand[] | undefined;
  #authState: string | undefined;
  #dialogs: OpenDialogs = {};
  readonly #wrapped = new WeakMap<object, unknown>();
  /** Releases what was typed before there was a listener. */
  #begin: () => void = () => {};
  #beginning: Promise<void> | undefined = new Promise((resolve) => (this.#begin = resolve));

  readonly observers: Tap['observers'] = {
    startInteractiveUI: (args, result) => {
      [this.config, this.settings] = args as [CliConfig, CliSettings];
      if (this.isPinned) muteUpdates(this.settings);
      return result;
    },
    useAuthCommand: (_args, result) => {
      this.#authState = (result as { authState?: string }).authState;
      return result;
    },
    useMessageQueue: (args, result) => {
      [this.#queueOptions] = args as [CliQueueOptions];
      this.#queue = result as CliQueue;
      this.#listener?.rendered();
      return result;
    },
    useSlashCommandProcessor: (_args, result) => this.#onSlash(result as CliSlash),
    useGeminiStream: (args, result) => this.#onStream(args, result as CliStream),
  };

  constructor({ isPinned }: { isPinned: boolean }) {
    this.isPinned = isPinned;
  }

  /** Reports everything to the listener from now on. Undefined: there will be none. */
  listen(listener: TerminalListener | undefined): void {
    this.#listener = listener;
    if (this.#client) listener?.client(this.#client);
    this.#begin();
    this.#beginning = undefined;
  }

  /** Nothing runs or is being set up: the CLI would accept a prompt or a command right now. */
  get isIdle(): boolean {
    const options = this.#queueOptions;
    return (
      this.#stream?.streamingState === 'idle' &&
      this.#slashCommands !== undefined &&
      options?.isConfigInitialized === true &&
      options.isMcpReady !== false &&
      options.isCompressing !== true &&
      (this.#authState === undefined || this.#authState === 'authenticated')
    );
  }

  get isBusy(): boolean {
    return this.#stream !== undefined && this.#stream.streamingState !== 'idle';
  }

  /** The login dialog is open: no prompt can run until somebody at the terminal closes it. */
  get needsLogin(): boolean {
    return this.#authState !== undefined && !['authenticated', 'unauthenticated'].includes(this.#authState);
  }

  /** Undefined until the CLI has loaded them, which it does beside its first frames. */
  get commands(): readonly CliSlashCommand[] | undefined {
    return this.#slashCommands;
  }

  /** Starts a turn without the user. Parts go to the model unchanged; a string is checked for slash commands first. */
  submit(query: string | readonly { text: string }[]): Promise<unknown> {
    if (!this.#stream) return Promise.reject(new Error('the terminal is not up yet'));
    return this.#stream.submitQuery(query);
  }

  /** Acts as if the user pressed Esc. */
  cancel(): void {
    this.#stream?.cancelOngoingRequest(false);
  }

  show(type: 'user' | 'info' | 'warning' | 'error', text: string): void {
    this.#addItem?.({ type, text, ...ours }, Date.now());
  }

  isOurs(item: CliHistoryItem): boolean {
    return 'cosession' in item;
  }

  #onStream(args: readonly unknown[], stream: CliStream): CliStream {
    const [client, history, addItem] = args as [CliClient, readonly CliHistoryItem[], CliAddItem];
    const shellMode = args[7] === true;
    this.#stream = stream;
    this.#addItem = addItem;
    this.history = history;
    this.#client = client;
    this.#listener?.client(client);
    this.#listener?.rendered();
    if (this.onFirstRender) {
      setImmediate(this.onFirstRender);
      this.onFirstRender = undefined;
    }
    this.#dialogs = { ...this.#dialogs, loop: stream.loopDetectionConfirmationRequest ?? undefined };
    this.#listener?.dialogs(this.#dialogs);
    return { ...stream, submitQuery: this.#wrapSubmit(stream.submitQuery, shellMode) };
  }

  /** React compares functions by identity, so each function of the CLI gets one permanent wrapper. */
  #wrapSubmit(submit: CliSubmitQuery, shellMode: boolean): CliSubmitQuery {
    return this.#once(submit, () => async (query, options, promptId) => {
      // The listener is loaded after the user interface. An earlier prompt waits, or its turn would be missed.
      if (this.#beginning) await this.#beginning;
      const listener = this.#listener;
      if (!listener || options?.isContinuation) return submit(query, options, promptId);
      const text = typeof query === 'string' ? query : '';
      if (!listener.typed(shellMode ? `!${text}` : text)) return void this.#queue?.addMessage(text);
      try {
        return await submit(query, options, promptId);
      } finally {
        listener.settled();
      }
    });
  }

  #onSlash(slash: CliSlash): CliSlash {
    this.#slashCommands = slash.slashCommands;
    this.stats = slash.commandContext?.session?.stats;
    this.#dialogs = { ...this.#dialogs, action: slash.confirmationRequest ?? undefined, shell: shellQuestion(slash) };
    this.#listener?.dialogs(this.#dialogs);
    const { slashCommands } = slash;
    return {
      ...slash,
      ...(slashCommands === undefined
        ? {}
        : { slashCommands: this.#once(slashCommands, () => this.#withAdded(slashCommands)) }),
      handleSlashCommand: this.#wrapSlash(slash.handleSlashCommand),
    };
  }

  #withAdded(commands: readonly CliSlashCommand[]): readonly CliSlashCommand[] {
    return [...commands, ...this.added].toSorted((a, b) => a.name.localeCompare(b.name));
  }

  #wrapSlash(handle: CliHandleSlashCommand): CliHandleSlashCommand {
    return this.#once(handle, () => async (raw, ...rest) => {
      const [, name, args = ''] = (typeof raw === 'string' && /^\/(\S+)\s*(.*)$/s.exec(raw.trim())) || [];
      const command = this.added.find((added) => added.name === name);
      if (!command) return handle(raw, ...rest);
      this.show('user', `/${command.name} ${args}`.trim());
      this.show('info', await command.run(args));
      return { type: 'handled' };
    });
  }

  #once<T extends object>(original: T, make: () => T): T {
    const known = this.#wrapped.get(original) as T | undefined;
    if (known) return known;
    const made = make();
    this.#wrapped.set(original, made);
    return made;
  }
}

/** The CLI would install a newer release globally, beside the running one. Changed in memory only, not in the user's file. */
function muteUpdates({ merged }: CliSettings): void {
  if (merged.general) Object.assign(merged.general, { enableAutoUpdate: false, enableAutoUpdateNotification: false });
}

/** The dialog of a custom command that waits for approval of its shell commands. */
function shellQuestion({ pendingHistoryItems = [] }: CliSlash): CliShellQuestion | undefined {
  const tools = pendingHistoryItems.flatMap((item) => item.tools ?? []);
  const details = tools.find((tool) => tool.confirmationDetails?.onConfirm)?.confirmationDetails;
  return details as CliShellQuestion | undefined;
}
