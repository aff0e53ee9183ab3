import type { ClientsEvent, LoggedEvent, OpenQuestion, UserMessageEvent, WireToolCall } from '../../client/client.js';
import { readable } from '../ui/readable.js';
import type { PlanStep } from '../plan/plan-in.js';

/** A session as the page shows it. `reduce.ts` makes it from events; nothing in it ever changes in place. */
export type Story = {
  readonly taskId: string;
  /** The newest event in it. */
  readonly seq: number;
  /** The first event that the turns cover. What is older can be fetched, unless `isWhole`. */
  readonly oldest: number;
  /** Nothing came before the first turn. */
  readonly isWhole: boolean;
  /** Queued ones too, in the order in which they began or will begin. */
  readonly turns: readonly StoryTurn[];
  readonly pending: readonly OpenQuestion[];
  /** The question that was answered last. */
  readonly answered: WireToolCall | undefined;
  /** The agent's newest plan. */
  readonly plan: readonly PlanStep[];
  readonly model: string;
  readonly approvalMode: string;
  readonly usage: Spent;
  readonly title: string | undefined;
  /** The folder that the agent works in. */
  readonly workspace: string | undefined;
  /** Who is here besides the terminal, the first to join first; `moreClients` are not listed. */
  readonly clients: ClientsEvent['clients'];
  readonly moreClients: number;
};

export type WireOrigin = UserMessageEvent['origin'];
export type WireTurnState = Extract<LoggedEvent, { kind: 'STATE_CHANGE' }>['state'];

export type StoryTurn = {
  readonly id: string;
  /** Its first event. */
  readonly seq: number;
  /** Absent for what the agent did by itself, and for what happened between turns. */
  readonly prompt?: { readonly text: string; readonly origin: WireOrigin; readonly at: string };
  /** Its place in the queue. */
  readonly queued?: number;
  readonly state: WireTurnState;
  readonly isOver: boolean;
  readonly error?: string;
  readonly blocks: readonly Block[];
};

/** One mark on the thread. `id` is the number of its first event. */
export type Block = { readonly id: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly items: readonly Thought[] }
  | { readonly kind: 'tool'; readonly call: WireToolCall; readonly startedAt?: string; readonly endedAt?: string }
  | { readonly kind: 'note'; readonly level: 'info' | 'warn' | 'error'; readonly text: string }
  | { readonly kind: 'source'; readonly text: string }
);

export type Thought = { readonly subject: string; readonly description: string };
export type ToolBlock = Extract<Block, { kind: 'tool' }>;

/** Tokens. */
export type Spent = { readonly last: number; readonly total: number; readonly calls: number };

export const emptyStory: Story = {
  taskId: '',
  seq: 0,
  oldest: 1,
  isWhole: true,
  turns: [],
  pending: [],
  answered: undefined,
  plan: [],
  model: '',
  approvalMode: '',
  usage: { last: 0, total: 0, calls: 0 },
  title: undefined,
  workspace: undefined,
  clients: [],
  moreClients: 0,
};

/** Turns on the thread; the others wait in the queue. */
export function turnsOnThread({ turns }: Story): readonly StoryTurn[] {
  return turns.filter((turn) => turn.queued === undefined);
}

export function queueOf({ turns }: Story): readonly StoryTurn[] {
  return turns.filter((turn) => turn.queued !== undefined);
}

/** The turn that runs. It may be waiting for an answer. */
export function runningTurn({ turns }: Story): StoryTurn | undefined {
  return turns.findLast((turn) => !turn.isOver && turn.queued === undefined);
}

/** The plan, until all of it is done and nothing runs. */
export function shownPlan(story: Story): readonly PlanStep[] {
  const { plan } = story;
  const isOpen = plan.some(({ stand }) => stand === 'now' || stand === 'waits');
  return isOpen || runningTurn(story) ? plan : [];
}

const titleLength = 60;

export function storyTitle({ title, turns }: Story): string | undefined {
  const said = title ?? turns.find((turn) => turn.prompt)?.prompt?.text.split('\n', 1)[0];
  const text = said && readable(said);
  return text !== undefined && text.length > titleLength ? `${text.slice(0, titleLength - 1)}…` : text;
}
