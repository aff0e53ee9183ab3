import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startModelServer } from '../src/demo/model-server.js';
import { readyPrompt } from '../test/support/live.js';
import type { Bench, Row } from './support/bench.js';
import { temporaryFolder } from './support/clean-up.js';
import { now } from './support/clock.js';
import { figuresOfGroup } from './support/process-figures.js';
import { median, medianRatio } from './support/statistics.js';
import { startTerminal, type TerminalKind } from './support/terminal.js';

const rounds = 7;
/** A process that uses less than this in that time rests: the clock of the system counts in steps of 10 ms. */
const restMs = 400;
const restCpuMs = 10;
const kinds = ['plain', 'plain, one process', 'cosession', 'cosession, one process'] as const;

export const start: Bench = {
  name: 'start',
  question:
    'Milliseconds from exec to the input prompt of the terminal, shared by Cosession compared with the plain Gemini CLI.',
  target: 'at most 1.10 of the plain CLI; both in one process 1.05, CPU and memory 1.15',
  async run({ say }) {
    const folder = temporaryFolder();
    const model = await startModelServer(() => ({ chunks: [[{ text: 'Hello.' }]] }));
    const used = join(folder.path, 'used');
    const copy = join(folder.path, 'copy');
    const [prompts, cards, cpu, memory] = [samples(), samples(), samples(), samples()];
    try {
      await useHome(used, model.url);
      // The first round fills the caches and is not counted.
      for (let round = 0; round <= rounds; round++) {
        say(`round ${round} of ${rounds}`);
        for (const kind of kinds) {
          rmSync(copy, { recursive: true, force: true });
          cpSync(used, copy, { recursive: true });
          const { promptMs, cardMs, cpuMs, residentMb } = await startOnce(kind, copy, model.url);
          if (round === 0) continue;
          prompts[kind].push(promptMs);
          cpu[kind].push(cpuMs);
          memory[kind].push(residentMb);
          if (cardMs !== undefined) cards[kind].push(cardMs);
        }
      }
    } finally {
      await model.close();
      folder.remove();
    }
    const rows = (kind: TerminalKind): Row[] => [
      rowOf(`${kind}: ms to the prompt`, prompts, kind),
      ...(cards[kind].length > 0 ? [rowOf(`${kind}: ms to the agent card`, cards, kind, prompts)] : []),
      rowOf(`${kind}: CPU ms`, cpu, kind),
      rowOf(`${kind}: memory in MB`, memory, kind),
    ];
    return kinds.flatMap(rows);
  },
};

type Samples = Readonly<Record<TerminalKind, number[]>>;

function samples(): Samples {
  return { cosession: [], 'cosession, one process': [], plain: [], 'plain, one process': [] };
}

function rowOf(what: string, measured: Samples, kind: TerminalKind, plain = measured): Row {
  return {
    what,
    median: median(measured[kind]),
    fastest: Math.min(...measured[kind]),
    'over plain': medianRatio(measured[kind], plain.plain),
    'over plain, one process': medianRatio(measured[kind], plain['plain, one process']),
  };
}

/** Prepares a home that both have used before, like every home except a new user's. */
async function useHome(folder: string, modelUrl: string): Promise<void> {
  for (const kind of ['plain', 'cosession'] as const) {
    const terminal = startTerminal({ kind, folder, modelUrl });
    const { screen } = terminal;
    await screen.waitFor(readyPrompt);
    // It keeps writing for a moment, and some of it only when it ends.
    await sleep(2000);
    await screen.submit('/quit');
    await screen.waitForExit();
    await terminal.stop();
  }
}

async function startOnce(kind: TerminalKind, folder: string, modelUrl: string) {
  const startedAt = now();
  const terminal = startTerminal({ kind, folder, modelUrl });
  try {
    const [promptMs, cardMs] = await Promise.all([
      terminal.screen.waitFor(readyPrompt).then(() => now() - startedAt),
      kind.startsWith('cosession') ? cardAnswered(terminal.endpoint()).then(() => now() - startedAt) : undefined,
    ]);
    return { promptMs, cardMs, ...(await figuresAtRest(terminal.screen.pid)) };
  } finally {
    await terminal.stop();
  }
}

/** The CLI goes on loading after it has drawn its prompt, and so does Cosession: what they cost is known when they rest. */
async function figuresAtRest(leader: number) {
  for (let figures = figuresOfGroup(leader); ;) {
    await sleep(restMs);
    const later = figuresOfGroup(leader);
    if (later.cpuMs - figures.cpuMs <= restCpuMs) return later;
    figures = later;
  }
}

async function cardAnswered(endpoint: Promise<{ url: string }>): Promise<void> {
  const { url } = await endpoint;
  const response = await fetch(`${url}.well-known/agent-card.json`);
  if (!response.ok) throw new Error(`the agent card was answered with ${response.status}`);
  await response.json();
}
