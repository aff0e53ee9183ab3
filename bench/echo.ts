import { setTimeout as sleep } from 'node:timers/promises';
import type { Screen } from '../test/support/screen.js';
import type { ReceiverMethods } from './processes/receiver.js';
import type { Bench } from './support/bench.js';
import { now } from './support/clock.js';
import { startHelper } from './support/helper.js';
import { latencyRow } from './support/latency-row.js';
import type { TimedModel } from './support/timed-model.js';
import { type TwoTerminals, withTwoTerminals } from './support/two-terminals.js';

const rounds = 5;
const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const letters = 40;
/** Enough chunks to outlast the typing. */
const reply = { chunks: 90, pauseMs: 40 };
const clients = 100;
/** Ctrl-U empties the input. */
const killLine = '\u0015';

export const echo: Bench = {
  name: 'echo',
  question: 'The real CLI while the model streams: milliseconds from a key to its letter on the screen.',
  target: 'typing feels the same: ratios of about 1 with and without clients',
  async run({ say }) {
    const echoed: Echoed = { plain: [], unwatched: [], watched: [] };
    await withTwoTerminals((terminals) => measure(terminals, echoed, say));
    return [
      latencyRow('plain CLI', echoed.plain, echoed.plain),
      latencyRow('Cosession, 0 clients', echoed.unwatched, echoed.plain),
      latencyRow(`Cosession, ${clients} clients`, echoed.watched, echoed.plain),
    ];
  },
};

/** Milliseconds each key took, per round. */
type Echoed = { readonly plain: number[][]; readonly unwatched: number[][]; readonly watched: number[][] };

async function measure(
  { plain, shared, model }: TwoTerminals,
  echoed: Echoed,
  say: (progress: string) => void,
): Promise<void> {
  const crowd = startHelper<ReceiverMethods>(new URL('./processes/receiver.ts', import.meta.url));
  try {
    const { port, token } = await shared.endpoint();
    // The first round is a warm-up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      const alone = await typeWhileStreaming(plain.screen, model);
      const unwatched = await typeWhileStreaming(shared.screen, model);
      await crowd.call('connect', { port, token, clients });
      const watched = await typeWhileStreaming(shared.screen, model);
      await crowd.call('disconnect');
      if (round === 0) continue;
      echoed.plain.push(alone);
      echoed.unwatched.push(unwatched);
      echoed.watched.push(watched);
    }
  } finally {
    await crowd.stop();
  }
}

/** Types a word letter by letter into the input while a reply streams in above it. */
async function typeWhileStreaming(screen: Screen, model: TimedModel): Promise<number[]> {
  const [first] = model.prepare(reply.chunks, reply.pauseMs);
  await screen.submit('Count, please.');
  await screen.waitFor(first?.mark ?? '');
  const latencies: number[] = [];
  let word = '';
  for (let i = 0; i < letters; i++) {
    const letter = alphabet.charAt(i % alphabet.length);
    word += letter;
    const typedAt = now();
    screen.type(letter);
    await screen.waitFor(new RegExp(`> +${word}`));
    latencies.push(now() - typedAt);
    // Out of step with the chunks, so that keys fall at every point between two of them.
    await sleep(20 + ((i * 17) % 50));
  }
  screen.type(killLine);
  await screen.waitUntilGone('esc to cancel');
  return latencies;
}
