import type { SeenText, WatcherMethods } from './processes/watcher.js';
import type { Bench } from './support/bench.js';
import { now } from './support/clock.js';
import { startHelper } from './support/helper.js';
import { latencyRow } from './support/latency-row.js';
import type { Terminal } from './support/terminal.js';
import type { TimedChunk, TimedModel } from './support/timed-model.js';
import { type TwoTerminals, withTwoTerminals } from './support/two-terminals.js';

const rounds = 5;
const chunks = 100;
const pauseMs = 30;

export const live: Bench = {
  name: 'live',
  question:
    'The real CLI, a chunk every 30 ms: milliseconds from the model’s write to the screen and to a `/ws` client.',
  target: 'clients see a chunk before the terminal shows it, and the terminal is as fast as without us',
  async run({ say }) {
    const shown: Shown = { plain: [], shared: [], client: [] };
    await withTwoTerminals((terminals) => measure(terminals, shown, say));
    const onScreen = shown.shared.flat();
    const isFirst = shown.client.flat().map((latency, chunk) => latency <= (onScreen[chunk] ?? 0));
    return [
      latencyRow('screen of the plain CLI', shown.plain, shown.plain),
      latencyRow('screen with Cosession', shown.shared, shown.plain),
      {
        ...latencyRow('client on /ws', shown.client, shown.plain),
        'before the screen': `${Math.round((100 * isFirst.filter(Boolean).length) / isFirst.length)} %`,
      },
    ];
  },
};

/** Milliseconds each chunk took, per round. */
type Shown = { readonly plain: number[][]; readonly shared: number[][]; readonly client: number[][] };

async function measure(
  { plain, shared, model }: TwoTerminals,
  shown: Shown,
  say: (progress: string) => void,
): Promise<void> {
  const watcher = startHelper<WatcherMethods>(new URL('./processes/watcher.ts', import.meta.url));
  try {
    await watcher.call('connect', await shared.endpoint());
    // The first round is a warm-up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      const alone = await streamOnce(plain, model);
      const together = await streamOnce(shared, model);
      const seen = await watcher.call('take', together.at(-1)?.mark ?? '');
      if (round === 0) continue;
      shown.plain.push(alone.map(({ shownAt, sentAt }) => shownAt - sentAt));
      shown.shared.push(together.map(({ shownAt, sentAt }) => shownAt - sentAt));
      shown.client.push(together.map((chunk) => receiptOf(chunk, seen) - chunk.sentAt));
    }
  } finally {
    await watcher.stop();
  }
}

type ShownChunk = TimedChunk & { readonly shownAt: number };

/** One prompt and its reply, watched on the screen. */
async function streamOnce({ screen }: Terminal, model: TimedModel): Promise<ShownChunk[]> {
  const sent = model.prepare(chunks, pauseMs);
  await screen.submit('Count, please.');
  const shown: ShownChunk[] = [];
  for (const chunk of sent) {
    await screen.waitFor(chunk.mark);
    shown.push({ ...chunk, shownAt: now() });
  }
  await screen.waitUntilGone('esc to cancel');
  return shown;
}

function receiptOf({ mark }: TimedChunk, seen: readonly SeenText[]): number {
  const receipt = seen.find(({ text }) => text.includes(mark));
  if (!receipt) throw new Error(`the client was never sent ${mark}`);
  return receipt.at;
}
