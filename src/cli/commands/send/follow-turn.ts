import { CosessionError } from '../../../client/transport/cosession-error.js';
import type { ClientSession, StartedPrompt } from '../../../client/session.js';
import type { LoggedEvent } from '../../../client/wire-event.js';
import { isOpenQuestion, type OpenQuestion, type WireToolCall } from '../../../client/wire-tool-call.js';
import { defined } from '../../../util/defined.js';

/** How the turn of a prompt ended for the script that sent it. */
export type Report = {
  readonly outcome: 'done' | 'refused' | 'failed' | 'waits' | 'timeout';
  readonly taskId: string;
  readonly turnId: string;
  /** The state of the turn, or of the session while the turn continues. */
  readonly state: string;
  readonly text: string;
  readonly error?: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly status: string }[];
  /** What the turn waits for. */
  readonly question?: OpenQuestion;
};

export type FollowOptions = {
  readonly session: ClientSession;
  readonly turn: StartedPrompt;
  readonly onQuestion: 'deny' | 'wait' | 'fail';
  readonly timeoutMs?: number;
  readonly show: (event: LoggedEvent) => Promise<void>;
};

/** How long a stopped turn may take to end. */
const stopMs = 5000;

/** Shows the turn until it ends, a question stops it, or the time is up. */
export async function followTurn({ session, turn, onQuestion, timeoutMs, show }: FollowOptions): Promise<Report> {
  const calls = new Map<string, WireToolCall>();
  let text = '';
  const report = (outcome: Report['outcome'], more: Partial<Report> = {}): Report => {
    const toolCalls = [...calls.values()].map((call) => ({
      id: call.tool_call_id,
      name: call.tool_name,
      status: call.status,
    }));
    return { outcome, taskId: session.id, turnId: turn.turnId, state: session.state, text, toolCalls, ...more };
  };
  const clock = stopAfter(timeoutMs, session, turn.turnId);
  try {
    for await (const event of turn.events) {
      await show(event);
      if (event.kind === 'TEXT_CONTENT') text += event.content.text;
      if (event.kind !== 'TOOL_CALL_UPDATE') continue;
      calls.set(event.tool_call_id, event);
      if (!isOpenQuestion(event) || onQuestion === 'wait') continue;
      if (onQuestion === 'fail') return report('waits', { question: event });
      await deny(session, event);
    }
    const { state, error } = await turn.done;
    const wasDenied = [...calls.values()].some(isDenied);
    const ended = clock.isUp && state !== 'completed' ? 'timeout' : state === 'completed' ? 'done' : 'failed';
    return report(wasDenied && ended !== 'timeout' ? 'refused' : ended, { state, ...defined({ error }) });
  } catch (thrown) {
    if (clock.isUp) return report('timeout');
    throw thrown;
  } finally {
    clock.clear();
  }
}

/** Somebody else may have been faster. */
async function deny(session: ClientSession, { tool_call_id: id }: OpenQuestion): Promise<void> {
  await session.reject(id).catch((error: unknown) => {
    if (!(error instanceof CosessionError) || error.code !== 'already-answered') throw error;
  });
}

/** A call that ends with its turn is cancelled too, but nobody answered it. */
function isDenied({ status, metadata }: WireToolCall): boolean {
  return status === 'CANCELLED' && metadata.resolvedBy !== undefined;
}

/** Stops the turn when the time is up, and leaves if it does not end. */
function stopAfter(timeoutMs: number | undefined, session: ClientSession, turnId: string) {
  let isUp = false;
  const timers: NodeJS.Timeout[] = [];
  const stop = (): void => {
    isUp = true;
    session.cancel(turnId).catch(() => {});
    timers.push(setTimeout(() => session.close(), stopMs));
  };
  if (timeoutMs !== undefined) timers.push(setTimeout(stop, timeoutMs));
  return {
    get isUp() {
      return isUp;
    },
    clear: () => timers.forEach(clearTimeout),
  };
}
