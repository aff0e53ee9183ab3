import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeProcess } from '../serve-process.js';
import type { Random } from './random.js';
import type { WireEvent } from '../wire-client.js';
import type { Witness } from './witness.js';

export type LifeOptions = {
  readonly server: ServeProcess;
  readonly witnesses: readonly Witness[];
  readonly random: Random;
  readonly newId: () => string;
};

const kinds = ['say', 'run', 'run', 'two', 'chain'];
/** Even a life in which nothing happens ends. */
const longestLifeMs = 8000;

/** Clients prompt, answer, queue and cancel as chance has it, until the server is killed in the middle of it. */
export async function liveAndDie({ server, witnesses, random, newId }: LifeOptions): Promise<void> {
  const lifeMs = random.chance(0.25) ? random.below(3000) : longestLifeMs;
  let eventsLeft = 1 + random.below(60);
  const dead = new AbortController();
  let die: () => void = () => {};
  const death = new Promise<'dead'>((resolve) => (die = () => resolve('dead')));
  const timer = setTimeout(die, lifeMs);
  const onEvent = ({ kind }: WireEvent): void => {
    // What the server does counts, not what it was told to.
    if (kind !== 'USER_MESSAGE' && --eventsLeft <= 0) die();
  };
  const busy = Promise.all(
    witnesses.map(async (witness) => {
      await witness.connect(server.base, onEvent);
      while (!dead.signal.aborted) {
        await act(witness, random, newId);
        await sleep(random.below(60));
      }
    }),
    // A request that the crash cut off was promised nothing.
  ).catch((error: unknown) => error);
  const first = await Promise.race([death, busy]);
  clearTimeout(timer);
  dead.abort();
  server.kill('SIGKILL');
  await server.exit;
  for (const witness of witnesses) witness.disconnect();
  if (first !== 'dead') throw first;
}

/** In the last life everything is answered and nothing asked for. */
export async function answerAll(witness: Witness): Promise<void> {
  for (const { tool_call_id } of witness.pending) await witness.answer(tool_call_id, 'proceed_once');
}

async function act(witness: Witness, random: Random, newId: () => string): Promise<void> {
  const question = random.pick(witness.pending);
  if (question && random.chance(0.5)) {
    const isYes = random.chance(0.75);
    return witness.answer(question.tool_call_id, isYes ? 'proceed_once' : 'cancel');
  }
  const openTurns = witness.openTurns;
  if (openTurns.length > 0 && random.chance(0.04)) return witness.cancel(random.pick(openTurns) ?? '');
  if (openTurns.length < 2 && random.chance(0.5)) return witness.prompt(random.pick(kinds) ?? '', newId());
}
