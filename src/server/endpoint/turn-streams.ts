import type { Request, Response } from 'express';
import { isTurnEnd, type Origin, type SessionEvent } from '../../domain/events.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { ClientMessage } from '../../dialects/shared/message.js';
import { isHandedOver } from '../../session/lifetime.js';
import { replay, checkKept } from '../../session/replay.js';
import type { SessionPort } from '../../session/session-port.js';
import { cursorOf } from '../http/caller.js';
import { checkMessage } from './check-message.js';
import { EventStream } from '../http/event-stream.js';
import { farewellOf } from './farewell.js';
import { principalOf } from '../guards/admission.js';
import { limits } from '../http/limits.js';
import { Places } from '../http/places.js';
import { sendPrompt } from './methods.js';
import { requestOrigin } from './request-origin.js';
import { defined } from '../../util/defined.js';

/** A parsed message, and where it goes. */
export type Submission = {
  readonly message: ClientMessage;
  /** Finds or opens the session. Called only after every check that does not need the session. */
  readonly open: () => Promise<{ readonly session: SessionPort; readonly dialect: Dialect }>;
};

/** Sends clients' messages to their sessions and streams the turns back, on HTTP routes of every dialect. */
export class TurnStreams {
  readonly #places = new Places({ limit: limits.eventStreams, what: 'streams' });

  get count(): number {
    return this.#places.count;
  }

  /** Rejects before writing anything if the message is refused or not stored. Losing a stream cancels nothing. */
  async open({ message, open }: Submission, { request, response }: Exchange): Promise<void> {
    const principal = principalOf(request);
    checkMessage(principal, message);
    const given = cursorOf(request.query['after'] ?? request.get('last-event-id'));
    this.#places.hold(principal, response);
    const { session, dialect } = await open();
    if (given !== undefined) await checkKept(session, given);
    const { from, isRepeat, ...cause } = await deliver(session, message, requestOrigin(request));
    if (isRepeat) response.set('x-duplicate-message', 'true');
    let { turnId } = cause;
    // Nobody can have seen events of a turn that starts now.
    const turn = turnId === undefined || (given === undefined && !isRepeat) ? undefined : await session.turn(turnId);
    const after = given ?? from ?? (turn?.first ?? session.oldestSeq) - 1;
    const wasOver = turn !== undefined && isTurnEnd(turn.state) && turn.last <= after;

    let isOver = false;
    let unsubscribe = (): void => {};
    const end = (close = () => stream.end()): void => {
      isOver = true;
      unsubscribe();
      close();
    };
    const breakOff = (): void => {
      if (isHandedOver(session.ended.reason)) {
        end(() => stream.endForNow());
        return;
      }
      const farewell = farewellOf(session, turnId);
      for (const { json, name } of dialect.toEvents(farewell)) stream.send(undefined, json, name);
      end();
    };
    const stream = new EventStream(response, () => {
      isOver = true;
      session.ended.removeEventListener('abort', breakOff);
      unsubscribe();
    });
    const onEvent = (event: SessionEvent): void => {
      // An answer belongs to the turn of its tool call.
      if (event.type === 'tool' && event.call.id === cause.callId) turnId ??= event.turnId;
      if (turnId === undefined || event.turnId !== turnId) return;
      const events = dialect.toEvents(event);
      // Only the last of several wire events with one seq carries it: a reader that got only some must get all again.
      events.forEach(({ json, name }, index) =>
        stream.send(index === events.length - 1 ? event.seq : undefined, json, name),
      );
      if (dialect.isLast(event)) end();
    };
    // The reader has already seen the end of the turn, so nothing will follow.
    if (wasOver) return end();
    session.ended.addEventListener('abort', breakOff);
    const take = async (events: readonly SessionEvent[]): Promise<void> => {
      for (const event of events) if (!isOver) onEvent(event);
      if (!isOver) await stream.room();
    };
    const join = (cursor: number): void => {
      unsubscribe = session.subscribe(onEvent, cursor);
      if (isOver) unsubscribe();
      else if (session.ended.aborted) breakOff();
    };
    // A disconnected reader resumes from its cursor.
    replay(session, after, { take, join, isOver: () => isOver }).catch(() => response.destroy());
  }
}

type Exchange = { readonly request: Request; readonly response: Response };

type Cause = { readonly turnId?: string; readonly callId?: string };

/**
 * `from` is the seq after which its events start, unless the turn is an earlier one. `isRepeat` means that the same message
 * was accepted before.
 */
type Delivered = Cause & { readonly from: number | undefined; readonly isRepeat: boolean };

/** What the message causes: a turn starts, or a tool call continues. */
async function deliver(session: SessionPort, message: ClientMessage, origin: Origin): Promise<Delivered> {
  const before = session.seq;
  if (message.type === 'prompt') {
    const { turnId, duplicate = false } = await sendPrompt(session, message, origin);
    return { turnId, from: duplicate ? undefined : before, isRepeat: duplicate };
  }
  const { callId, duplicate = false } = await session.sendAnswer(message.callId, message.answer, origin);
  const first = duplicate ? session.answerTo(callId) : undefined;
  const turn = defined({ turnId: first?.turnId });
  return { callId, ...turn, from: first ? first.seq - 1 : before, isRepeat: duplicate };
}
