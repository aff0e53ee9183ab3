import type { Config } from '@google/gemini-cli-core';
import type { ModelConnection, ModelReply } from '../gemini/own-call-ids.js';

type Listener = { readonly report: (text: string) => void; readonly signal: AbortSignal };

/**
 * Reports the text of a reply when the model's client has read it, before core has it. Core passes each event on through ten
 * generators, which takes as long as everything that we do with it, and does not change the text.
 */
export class TextAhead {
  #listener: Listener | undefined;
  /** Texts that were reported, and not yet passed on by core. */
  #ahead = 0;

  constructor(config: Config) {
    const connection: ModelConnection = config.getContentGenerator();
    const generate = connection.generateContentStream.bind(connection);
    connection.generateContentStream = async (request, ...rest) => {
      const [, role] = rest;
      // Sub-agents use the same connection, and hooks may change what core passes on.
      if (role !== 'main' || hasHooks(config)) return generate(request, ...rest);
      this.#ahead = 0;
      return generate({ ...request, config: { ...request.config, onEvent: this.#onEvent } }, ...rest);
    };
  }

  /** Reports what follows, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listener = listener;
    return () => (this.#listener = undefined);
  }

  /** Whether the text that core passes on now was reported. To be asked once about each. */
  has(): boolean {
    if (this.#ahead === 0) return false;
    this.#ahead--;
    return true;
  }

  readonly #onEvent = (event: unknown): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the model's own words, as core gets them
    const text = textOf(event as ModelReply);
    if (text === '' || !this.#listener || this.#listener.signal.aborted) return;
    this.#ahead++;
    this.#listener.report(text);
  };
}

/** What core makes of an event. Its thoughts come first, so one with thoughts is left to core. */
function textOf({ candidates }: ModelReply): string {
  let all = '';
  for (const { text = '', thought } of candidates?.[0]?.content?.parts ?? []) {
    if (thought) return '';
    all += text;
  }
  return all;
}

function hasHooks(config: Config): boolean {
  const hooks = config.getHookSystem()?.getAllHooks() ?? [];
  return hooks.some(({ eventName, enabled }) => enabled && (eventName as string) === 'AfterModel');
}
