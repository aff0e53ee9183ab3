import type { SessionEvent } from '../../domain/events.js';
import { isFinal } from '../../domain/tool-call.js';
import { outputOf } from '../../protocols/acp/terminal-output.js';
import { type Reader, toUpdates } from '../../protocols/acp/to-updates.js';
import type { Session } from '../../session/session.js';
import { choicesOf } from './session-state.js';
import { Update } from './update.js';

/** Who is told: what the client can show, and what it knows already. */
export type Audience = {
  readonly reader: Reader;
  /** Tool calls it was told of. */
  readonly knownCalls: ReadonlySet<string>;
  readonly isOwnPrompt: (messageId: string | undefined) => boolean;
};

/**
 * Tells the events of a session one after another. Most clients see an event alike, so it is translated once for each of the
 * few ways to see it.
 */
export class Narrator {
  /** What each unfinished tool call has printed, before the current event. */
  readonly #printed = new Map<string, string>();
  #event: SessionEvent | undefined;
  #told: (readonly Update[])[] = [];
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  tell(event: SessionEvent, { reader, knownCalls, isOwnPrompt }: Audience): readonly Update[] {
    if (event !== this.#event) this.#goOnTo(event);
    const isOwn = event.type === 'prompt' && isOwnPrompt(event.messageId);
    const knowsCall = event.type === 'tool' && knownCalls.has(event.call.id);
    const way = Number(isOwn) + 2 * Number(knowsCall) + 4 * Number(reader.hasTerminal) + 8 * Number(reader.hasNotices);
    const told = this.#told[way];
    if (told) return told;
    const printed = event.type === 'tool' ? (this.#printed.get(event.call.id) ?? '') : '';
    const { sessionId } = event;
    const { hasTerminal, hasNotices } = reader;
    // No spread: it would cost more than the translation itself.
    const updates = toUpdates(event, {
      hasTerminal,
      hasNotices,
      isOwn,
      knowsCall,
      printed,
      choices: choicesOf(this.#session),
      model: this.#session.agent.model,
    });
    const made = updates.map((update) => new Update({ sessionId, update }));
    this.#told[way] = made;
    return made;
  }

  #goOnTo(event: SessionEvent): void {
    if (this.#event?.type === 'tool') {
      const { call } = this.#event;
      const output = outputOf(call);
      if (isFinal(call)) this.#printed.delete(call.id);
      else if (output !== undefined) this.#printed.set(call.id, output);
    }
    this.#told = [];
    this.#event = event;
  }
}
