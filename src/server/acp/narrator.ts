import type { SessionEvent } from '../../domain/events.js';
import { isFinal, type ToolCall } from '../../domain/tool-call.js';
import type { AcpDialect, AcpReader } from '../../dialects/acp/dialect.js';
import { emptyScene, nextScene, type Scene } from '../../dialects/acp/scene.js';
import { printedBy } from '../../dialects/acp/terminal-output.js';
import type { SessionPort } from '../../session/session-port.js';
import { choicesIn } from './session-state.js';
import { SessionUpdate } from './update.js';

/** The receiver of updates: what the client can show, and what it already knows. */
export type AcpAudience = {
  readonly reader: AcpReader;
  /** Tool calls that were already sent to it. */
  readonly knownCalls: ReadonlySet<string>;
  readonly isOwnPrompt: (messageId: string | undefined) => boolean;
};

/**
 * Translates the events of a session one after another. Clients see an event in only a few different ways, so it is
 * translated once for each of them.
 */
export class Narrator {
  readonly #session: SessionPort;
  readonly #dialect: AcpDialect;
  /** The status and output of each unfinished tool call before the current event. */
  readonly #before = new Map<string, { readonly status: ToolCall['status']; readonly printed: string }>();
  #updates: (readonly SessionUpdate[])[] = [];
  #event: SessionEvent | undefined;
  #scene: Scene = emptyScene;

  constructor(session: SessionPort, dialect: AcpDialect) {
    this.#session = session;
    this.#dialect = dialect;
  }

  get scene(): Scene {
    return this.#scene;
  }

  tell(event: SessionEvent, { reader, knownCalls, isOwnPrompt }: AcpAudience): readonly SessionUpdate[] {
    if (event !== this.#event) this.#moveTo(event);
    const { echoesPrompts } = this.#dialect;
    const isOwn = !echoesPrompts && event.type === 'prompt' && isOwnPrompt(event.messageId);
    const knowsCall = event.type === 'tool' && knownCalls.has(event.call.id);
    const way = Number(isOwn) + 2 * Number(knowsCall) + 4 * Number(reader.hasTerminal) + 8 * Number(reader.hasNotices);
    const known = this.#updates[way];
    if (known) return known;
    const before = event.type === 'tool' ? this.#before.get(event.call.id) : undefined;
    const { hasTerminal, hasNotices } = reader;
    // No spread, which would cost more than the translation itself.
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
    this.#updates[way] = made;
    return made;
  }

  /** Notes an event that is not sent to anyone. */
  pass(event: SessionEvent): void {
    this.#scene = nextScene(this.#scene, event);
  }

  #moveTo(event: SessionEvent): void {
    if (this.#event?.type === 'tool') this.#remember(this.#event.call);
    this.#updates = [];
    this.#event = event;
    this.pass(event);
  }

  #remember(call: ToolCall): void {
    const printed = printedBy(call) ?? this.#before.get(call.id)?.printed ?? '';
    if (isFinal(call)) this.#before.delete(call.id);
    else this.#before.set(call.id, { status: call.status, printed });
  }
}
