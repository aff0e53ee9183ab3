import type { ServeProcess } from '../../spawn-serve.js';
import type { Cast } from '../cast.js';
import type { Receiver } from '../receiver.js';
import type { StreamRecord } from '../record.js';
import type { StoreView } from '../stores/store.js';
import type { Tally } from '../tally.js';
import type { Witness } from '../witness.js';
import { checkAnswers } from './answers.js';
import { checkArtifacts } from './artifacts.js';
import { checkCalls } from './calls.js';
import { checkCanceledEnds, checkCancels } from './cancels.js';
import { checkDeletions } from './deletions.js';
import { checkEnds } from './ends.js';
import { checkEnded, checkPrompts } from './prompts.js';
import { checkRuns, readRuns } from './runs.js';
import { checkStates } from './states.js';
import { checkStoredEvents, logOf } from './stored-events.js';
import { checkNotices } from './webhooks.js';

export type Checked = {
  readonly cast: Cast;
  readonly view: StoreView;
  readonly stateDir: string;
  /** The file in which tools left their ids. */
  readonly runs: string;
  readonly receiver: Receiver;
  readonly tally: Tally;
};

/** What holds at any time: looked at while no server runs. What is broken, in words. */
export async function checkAfterLife({ cast, view, stateDir, runs, receiver, tally }: Checked): Promise<string[]> {
  const ran = readRuns(runs);
  const gone = [...cast.deleted, ...cast.all.filter(({ deletion }) => deletion === 'accepted')];
  return [
    ...cast.broken,
    ...checkRuns(ran),
    ...(await checkDeletions(gone, view, stateDir)),
    ...[...cast.all, ...gone].flatMap((witness) => named(witness, witness.broken)),
    ...(await aboutEach({ cast, view }, async (witness, log) => {
      tally.add('events compared with the store', witness.record.events.length);
      return [
        ...checkStoredEvents(witness.record, log),
        ...checkPrompts(witness, log),
        ...checkAnswers(witness, log, ran),
        ...checkCancels(witness, log, ran),
        ...checkEnds(witness, log),
        ...checkNotices(log, receiver),
      ];
    })),
  ];
}

/** What holds when everything is over. */
export async function checkAtEnd(checked: Checked, server: ServeProcess): Promise<string[]> {
  const { cast, view, tally } = checked;
  const ran = readRuns(checked.runs);
  tally.add('tools run', ran.length);
  return [
    ...(await checkAfterLife(checked)),
    ...(await aboutEach({ cast, view }, async (witness, log) => {
      tally.add('tool calls', log.calls.size);
      tally.add('events', log.events.length);
      return [
        ...checkEnded(witness, log),
        ...checkCalls(witness, log, ran),
        ...checkCanceledEnds(witness, log),
        ...(await checkArtifacts(witness, log, view)),
        ...(await checkStates(witness, log, { server })),
      ];
    })),
  ];
}

/** Every task that is there and that nobody wanted to delete, with its log in the store. */
async function aboutEach(
  { cast, view }: Pick<Checked, 'cast' | 'view'>,
  check: (witness: Witness, log: StreamRecord) => Promise<readonly string[]>,
): Promise<string[]> {
  const here = cast.all.filter(({ deletion }) => deletion === 'none');
  const all = here.map(async (witness) =>
    named(witness, await check(witness, logOf(await view.events(witness.taskId)))),
  );
  return (await Promise.all(all)).flat();
}

function named({ taskId }: Witness, broken: readonly string[]): string[] {
  return broken.map((text) => `${taskId}: ${text}`);
}
