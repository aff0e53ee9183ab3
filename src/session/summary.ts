import * as z from 'zod';
import type { SessionEvent, ShownEnd, TurnState } from '../domain/events.js';
import type { Json } from '../domain/json.js';
import { RecentMap } from '../util/recent-map.js';
import { type AnsweredCall, AnsweredCalls } from './calls/answered-calls.js';
import {
  nothingRecalled,
  pausedTurns,
  type PromptEvent,
  Recall,
  type RecallState,
  type ToolEvent,
  type TurnEvent,
} from './recall.js';
import { type KnownMessage, SentMessages } from './calls/sent-messages.js';

/** Increase it whenever the same events lead to a different recalled state. */
const version = 2;
/** The number of entries is bounded, but not the length of ids that others choose. */
const maxLength = 1024 * 1024;

/**
 * The state recalled up to one event, as it is stored. It refers to events by seq, so its size depends neither on their size
 * nor on the number of turns. Undefined if it is too large to be useful.
 */
export function toSummary({ state, turnEnd }: Recall): Json | undefined {
  const { seq, settings, title, usage, lastState, running, prompt, turn, calls, queued, paused, answered, messages } =
    state;
  const summary: Summary = {
    version,
    whenDone: turnEnd,
    seq,
    settings,
    title,
    usage,
    lastState,
    running,
    prompt: prompt?.seq,
    turn: turn?.seq,
    calls: [...calls.values()].map((event) => event.seq),
    queued: [...queued.values()].map((event) => event.seq),
    paused: [...paused.keys()],
    answered: [...answered.all],
    messages: [...messages.all],
  };
  const text = JSON.stringify(summary);
  return text.length > maxLength ? undefined : z.custom<Json>().parse(JSON.parse(text));
}

/** Undefined if it is not a summary, or was made for another version or `--turn-end`. */
export function readSummary(stored: Json | undefined, turnEnd: ShownEnd): Summary | undefined {
  const { success, data } = shape.safeParse(stored);
  return success && data.version === version && data.whenDone === turnEnd ? data : undefined;
}

/** The seqs of the events that it refers to. */
export function eventsIn({ prompt, turn, calls, queued }: Summary): readonly number[] {
  return [prompt, turn, ...calls, ...queued].flatMap((seq) => seq ?? []);
}

/** Undefined if an event that it refers to is missing or has another type. */
export function recallFrom(summary: Summary, events: ReadonlyMap<number, SessionEvent>): Recall | undefined {
  const { seq, settings, title, usage, lastState, running, paused, answered, messages, whenDone: turnEnd } = summary;
  const find = <Kind extends SessionEvent>(numbers: readonly (number | undefined)[], type: Kind['type']): Kind[] =>
    numbers.flatMap((number) => {
      const event = number === undefined ? undefined : events.get(number);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its `type` was just compared
      return event?.type === type ? [event as Kind] : [];
    });
  const calls = find<ToolEvent>(summary.calls, 'tool');
  const queued = find<PromptEvent>(summary.queued, 'prompt');
  const [prompt] = find<PromptEvent>([summary.prompt], 'prompt');
  const [turn] = find<TurnEvent>([summary.turn], 'turn');
  const found = [prompt, turn, ...calls, ...queued].filter((event) => event !== undefined);
  if (found.length < eventsIn(summary).length) return undefined;
  const state: RecallState = {
    ...nothingRecalled(),
    seq,
    settings,
    title,
    usage,
    lastState,
    running,
    prompt,
    turn,
    calls: new Map(calls.map((event) => [event.call.id, event])),
    queued: new Map(queued.map((event) => [event.turnId ?? '', event])),
    paused: new RecentMap(pausedTurns),
    answered: new AnsweredCalls(answered),
    messages: new SentMessages(messages),
  };
  for (const id of paused) state.paused.set(id, true);
  return new Recall(turnEnd, state);
}

/** We wrote it ourselves, so we check only what decides whether it is usable. */
const shape = z.object({
  version: z.number(),
  /** `--turn-end`, under the name it had first. */
  whenDone: z.custom<ShownEnd>((value) => typeof value === 'string'),
  seq: z.int(),
  settings: z.custom<RecallState['settings']>().optional(),
  title: z.string().optional(),
  usage: z.custom<RecallState['usage']>((value) => typeof value === 'object'),
  lastState: z.custom<TurnState>((value) => typeof value === 'string'),
  running: z.custom<RecallState['running']>().optional(),
  prompt: z.int().optional(),
  turn: z.int().optional(),
  calls: z.array(z.int()),
  queued: z.array(z.int()),
  paused: z.array(z.string()),
  answered: z.array(z.custom<AnsweredCall>((value) => typeof value === 'object')),
  messages: z.array(z.custom<KnownMessage>((value) => Array.isArray(value))),
});

type Summary = z.infer<typeof shape>;
