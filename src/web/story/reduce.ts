import {
  type History,
  isOpenQuestion,
  type LoggedEvent,
  type SnapshotEvent,
  type ToolCallEvent,
  type UserMessageEvent,
  type WireEvent,
} from '../../client/client.js';
import { defined } from '../../util/defined.js';
import { planIn } from '../plan/plan-in.js';
import { type Block, emptyStory, type Story, type StoryTurn } from './story.js';

/** More turns than this are not kept in memory. The oldest are dropped and can be fetched again. */
const maxTurns = 300;

/** The story after an event. Pure. An event that the story has already is ignored. */
export function reduce(story: Story, event: WireEvent): Story {
  if (event.kind === 'SNAPSHOT') return restore(story, event);
  if (event.kind === 'CLIENTS') return { ...story, clients: event.clients, moreClients: event.moreClients ?? 0 };
  // After RESYNC_REQUIRED comes a snapshot, which replaces everything.
  if (!('seq' in event) || event.seq <= story.seq) return story;
  return { ...apply(story, event), taskId: event.taskId, seq: event.seq };
}

/** Puts older turns before the ones that are there. A long turn may come in several parts, and a prompt before its turn. */
export function prepend(story: Story, { events, oldest }: History): Story {
  const known = new Set(story.turns.map(({ id }) => id));
  const older = events.reduce(apply, emptyStory).turns;
  const begun = new Map(older.filter(({ id }) => known.has(id)).map((turn) => [turn.id, turn]));
  const turns = story.turns.flatMap((turn) => {
    const start = begun.get(turn.id);
    if (!start) return [turn];
    const isTakenBack = start.queued !== undefined && !turn.prompt;
    const { queued: _, ...first } = start;
    return isTakenBack ? [] : [{ ...first, ...turn, seq: start.seq, blocks: [...start.blocks, ...turn.blocks] }];
  });
  return { ...story, oldest, isWhole: oldest <= 1, turns: [...older.filter(({ id }) => !known.has(id)), ...turns] };
}

function restore(story: Story, snapshot: SnapshotEvent): Story {
  const { history, taskId, seq, state, model, pending, usage, title, workspace, clients, moreClients = 0 } = snapshot;
  const told = (history?.events ?? []).reduce(apply, emptyStory);
  const isIdle = !['submitted', 'working', 'input-required'].includes(state);
  return {
    ...told,
    // A turn of a server that stopped has no end event.
    turns: isIdle
      ? told.turns.map((turn) => (turn.queued === undefined ? { ...turn, isOver: true } : turn))
      : told.turns,
    taskId,
    seq,
    oldest: history?.oldest ?? seq + 1,
    isWhole: (history?.oldest ?? seq + 1) <= 1,
    pending,
    answered: undefined,
    model,
    approvalMode: snapshot.approvalMode ?? story.approvalMode,
    usage: { last: told.usage.last, total: usage.totalTokens ?? told.usage.total, calls: usage.calls },
    title,
    workspace,
    clients,
    moreClients,
  };
}

function apply(story: Story, event: LoggedEvent): Story {
  switch (event.kind) {
    case 'SETTINGS':
      return { ...story, model: event.model, approvalMode: event.approvalMode ?? story.approvalMode };
    case 'USAGE': {
      const { totalTokens: last = 0 } = event.usage;
      const { total, calls } = story.usage;
      return { ...story, usage: { last, total: total + last, calls: calls + 1 } };
    }
    case 'USER_MESSAGE':
      return prompted(story, event);
    case 'STATE_CHANGE':
      return inTurn(story, event, (turn) => {
        const { state, error, final = false } = event;
        return { ...turn, state, isOver: final, ...defined({ error }) };
      });
    case 'TOOL_CALL_UPDATE':
      return planned(
        asked(
          inTurn(story, event, (turn) => called(turn, event)),
          event,
        ),
        event,
      );
    case 'TEXT_CONTENT':
      return inTurn(story, event, (turn) => {
        const last = turn.blocks.at(-1);
        if (last?.kind !== 'text') return add(turn, { kind: 'text', id: event.seq, text: event.content.text });
        return replaceLast(turn, { ...last, text: last.text + event.content.text });
      });
    case 'THOUGHT':
      return inTurn(story, event, (turn) => {
        const last = turn.blocks.at(-1);
        if (last?.kind !== 'thought') return add(turn, { kind: 'thought', id: event.seq, items: [event.content] });
        return replaceLast(turn, { ...last, items: [...last.items, event.content] });
      });
    case 'CITATION':
      return inTurn(story, event, (turn) => add(turn, { kind: 'source', id: event.seq, text: event.content.text }));
    case 'CONSOLE_LOG': {
      const { level, content } = event;
      if (level === 'debug') return story;
      return inTurn(story, event, (turn) => add(turn, { kind: 'note', id: event.seq, level, text: content.text }));
    }
    case 'ERROR':
      return inTurn(story, event, (turn) =>
        add(turn, { kind: 'note', id: event.seq, level: 'error', text: event.message }),
      );
    // A newer server may send kinds that this page does not know.
    default:
      return story;
  }
}

/** A prompt that waited stands where its turn begins, not where it was typed. */
function prompted(story: Story, { turnId, seq, content, origin, at, queued }: UserMessageEvent): Story {
  const id = turnId ?? `prompt-${seq}`;
  const known = story.turns.find((turn) => turn.id === id);
  const { queued: _, ...begun } = known ?? { id, seq, state: 'submitted' as const, isOver: false, blocks: [] };
  const turn: StoryTurn = {
    ...begun,
    prompt: { text: content.text, origin, at },
    ...defined({ queued }),
  };
  const others = story.turns.filter((other) => other.id !== id);
  const waiting = others.findIndex(
    (other) => other.queued !== undefined && (queued === undefined || other.queued > queued),
  );
  const place = waiting < 0 ? others.length : waiting;
  return bounded({ ...story, turns: others.toSpliced(place, 0, turn) });
}

function inTurn(story: Story, { turnId, seq }: LoggedEvent, change: (turn: StoryTurn) => StoryTurn): Story {
  const { turns } = story;
  const place = turns.findLastIndex((turn) => (turnId === undefined ? isBetween(turn) : turn.id === turnId));
  const found = turns[place];
  // What happens between turns stands where it happened: after the last turn that began.
  const began = turns.findIndex((turn) => turn.queued !== undefined);
  const end = began < 0 ? turns.length : began;
  if (found && (turnId !== undefined || place === end - 1)) return settle(story, place, change(found));
  const between = turnId === undefined;
  const fresh = {
    id: turnId ?? `${betweenTurns}${seq}`,
    seq,
    state: 'submitted' as const,
    isOver: between,
    blocks: [],
  };
  return bounded({ ...story, turns: turns.toSpliced(end, 0, change(fresh)) });
}

/** A prompt that was taken back before its turn began leaves no trace on the thread. */
function settle(story: Story, place: number, turn: StoryTurn): Story {
  const isGone = turn.isOver && turn.queued !== undefined;
  const turns = isGone ? story.turns.toSpliced(place, 1) : story.turns.with(place, turn);
  return { ...story, turns };
}

const betweenTurns = 'between-';

function isBetween(turn: StoryTurn): boolean {
  return turn.id.startsWith(betweenTurns);
}

function called(turn: StoryTurn, event: ToolCallEvent): StoryTurn {
  const { at, seq, status } = event;
  const place = turn.blocks.findLastIndex(
    (block) => block.kind === 'tool' && block.call.tool_call_id === event.tool_call_id,
  );
  const known = turn.blocks[place];
  const isDone = status === 'SUCCEEDED' || status === 'FAILED';
  const times = { ...(status === 'EXECUTING' ? { startedAt: at } : {}), ...(isDone ? { endedAt: at } : {}) };
  if (known?.kind !== 'tool') return add(turn, { kind: 'tool', id: seq, call: event, ...times });
  const startedAt = known.startedAt ?? times.startedAt;
  const block: Block = { ...known, ...times, call: event, ...defined({ startedAt }) };
  return { ...turn, blocks: turn.blocks.with(place, block) };
}

function asked(story: Story, event: ToolCallEvent): Story {
  const others = story.pending.filter((call) => call.tool_call_id !== event.tool_call_id);
  if (isOpenQuestion(event)) {
    const place = story.pending.findIndex((call) => call.tool_call_id === event.tool_call_id);
    return { ...story, pending: place < 0 ? [...others, event] : story.pending.with(place, event) };
  }
  return others.length === story.pending.length ? story : { ...story, pending: others, answered: event };
}

function planned(story: Story, event: ToolCallEvent): Story {
  const plan = event.status === 'SUCCEEDED' ? planIn(event) : undefined;
  return plan ? { ...story, plan } : story;
}

function add(turn: StoryTurn, block: Block): StoryTurn {
  return { ...turn, blocks: [...turn.blocks, block] };
}

function replaceLast(turn: StoryTurn, block: Block): StoryTurn {
  return { ...turn, blocks: turn.blocks.with(turn.blocks.length - 1, block) };
}

function bounded(story: Story): Story {
  const { turns } = story;
  if (turns.length <= maxTurns) return story;
  const kept = turns.slice(-maxTurns);
  return { ...story, turns: kept, oldest: kept[0]?.seq ?? story.oldest, isWhole: false };
}
