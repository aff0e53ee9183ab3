import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeProcess } from '../serve-process.js';
import { patienceMs } from '../until.js';
import type { WireEvent } from '../wire-client.js';
import { moments } from './moments.js';
import type { Random } from './random.js';
import type { Witness } from './witness.js';

export type LifeOptions = {
  readonly server: ServeProcess;
  readonly witnesses: readonly Witness[];
  readonly random: Random;
  readonly newId: () => string;
};

const kinds = ['say', 'run', 'run', 'two', 'chain'];
/** Even a life in which its moment never comes ends. */
const longestLifeMs = 6000;

/** Clients prompt, answer, queue and cancel as chance has it, until the server is killed. Returns at which moment. */
export async function liveAndDie({ server, witnesses, random, newId }: LifeOptions): Promise<string> {
  const moment = random.pick(moments);
  const delayMs = random.chance(0.5) ? 0 : random.below(40);
  let timesLeft = 1 + random.below(4);
  let diedAt = 'some time';
  const death = new AbortController();
  const die = (): void => {
    death.abort();
    server.kill('SIGKILL');
  };
  const timer = setTimeout(die, longestLifeMs);
  const onSaid = (said: WireEvent): void => {
    if (!moment?.isNow(said) || --timesLeft !== 0) return;
    diedAt = moment.name;
    // In this tick: what the server does in the next millisecond is what may be lost.
    if (delayMs === 0) die();
    else setTimeout(die, delayMs);
  };
  const live = async (witness: Witness): Promise<void> => {
    await witness.connect(server.base, onSaid);
    while (!death.signal.aborted) {
      await act(witness, random, newId);
      await sleep(random.below(40));
    }
  };
  // A request that the crash cut off was promised nothing.
  const unlessDead = (error: unknown): void => {
    if (!death.signal.aborted) throw error;
  };
  try {
    await Promise.all(witnesses.map((witness) => live(witness).catch(unlessDead)));
  } finally {
    clearTimeout(timer);
    die();
    await server.exit;
    for (const witness of witnesses) witness.disconnect();
  }
  return diedAt;
}

/** In the last life everything is answered and nothing new asked for, until all is over or clearly never will be. */
export async function finish(witness: Witness): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (const prompt of witness.unacknowledged) await witness.prompt(prompt);
  while (witness.openTurns.length > 0 && Date.now() < deadline) {
    for (const { tool_call_id } of witness.pending) await witness.answer(tool_call_id, 'proceed_once');
    await sleep(20);
  }
}

async function act(witness: Witness, random: Random, newId: () => string): Promise<void> {
  const question = random.pick(witness.pending);
  if (question && random.chance(0.5))
    return witness.answer(question.tool_call_id, random.chance(0.8) ? 'proceed_once' : 'cancel');
  // What was or may have been taken is still one prompt when it is sent again.
  const again = witness.unacknowledged[0] ?? (random.chance(0.05) ? random.pick(witness.sent) : undefined);
  if (again) return witness.prompt(again);
  const { openTurns } = witness;
  if (openTurns.length > 0 && random.chance(0.005)) return witness.cancel(random.pick(openTurns) ?? '');
  if (openTurns.length < 2 && random.chance(0.5)) {
    const id = newId();
    return witness.prompt({ id, text: `${random.pick(kinds)} ${id}` });
  }
}
