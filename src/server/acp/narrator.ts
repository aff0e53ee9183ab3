import type { SessionEvent } from '../../domain/events.js';
import { isFinal, type ToolCall } from '../../domain/tool-call.js';
import type { AcpDialect, AcpReader } from '../../dialects/acp/dialect.js';
import { emptyScene, nextScene, type Scene } from '../../dialects/acp/scene.js';
import { printedBy } from '../../dialects/acp/terminal-output.js';
import type { Session } from '../../session/session.js';
import { choicesIn } from './session-state.js';
import { SessionUpdate } from './update.js';

/** Who is told: what the client can show, and what it knows already. */
export type AcpAudience = {
  readonly reader: AcpReader;
  /** Tool calls it was told of. */
  readonly knownCalls: ReadonlySet<string>;
  readonly isOwnPrompt: (messageId: string | undefined) => boolean;
};

/**
 * Tells the events of a session one after another. Most clients see an event alike, so it is translated once for each of the
 * few ways to see it.
 */
export class Narrator {
  readonly #session: Session;
  readonly #dialect: AcpDialect;
  /** What each unfinished tool call was and has printed, before the current event. */
  readonly #before = new Map<string, { readonly status: ToolCall['status']; readonly printed: string }>();
  #told: (readonly SessionUpdate[])[] = [];
  #event: SessionEvent | undefined;
  #scene: Scene = emptyScene;

  constructor(session: Session, dialect: AcpDialect) {
    this.#session = session;
    this.#dialect = dialect;
  }

  get scene(): Scene {
    return this.#scene;
  }

  tell(event: SessionEvent, { reader, knownCalls, isOwnPrompt }: AcpAudience): readonly SessionUpdate[] {
    if (event !== this.#event) this.#goOnTo(event);
    const { echoesPrompts } = this.#dialect;
    const isOwn = !echoesPrompts && event.type === 'prompt' && isOwnPrompt(event.messageId);
    const knowsCall = event.type === 'tool' && knownCalls.has(event.call.id);
    const way = Number(isOwn) + 2 * Number(knowsCall) + 4 * Number(reader.hasTerminal) + 8 * Number(reader.hasNotices);
    const told = this.#told[way];
    if (told) return told;
    const before = event.type === 'tool' ? this.#before.get(event.call.id) : undefined;
    const { hasTerminal, hasNotices } = reader;
    // No spread: it would cost more than the translation itself.
    const updates = this.#dialect.toUpdates(event, {
      hasTerminal,
      hasNotices,
      isOwn,
      knowsCall,
      printed: before?.printed ?? '',
      statusBefore: before?.status,
      choices: choicesIn(this.#session),
      model: this.#session.agent.model,
      scene: this.#scene,
    });
    const made = updates.map((update) => new SessionUpdate(event.sessionId, update));
    this.#told[way] = made;
    return made;
  }

  /** An event that nobody is told of. */
  pass(event: SessionEvent): void {
    this.#scene = nextScene(this.#scene, event);
  }

  #goOnTo(event: SessionEvent): void {
    if (this.#event?.type === 'tool') this.#remember(this.#event.call);
    this.#told = [];
    this.#event = event;
    this.pass(event);
  }

  #remember(call: ToolCall): void {
    const printed = printedBy(call) ?? this.#before.get(call.id)?.printed ?? '';
    if (isFinal(call)) this.#before.delete(call.id);
    else this.#before.set(call.id, { status: call.status, printed });
  }
}
