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
const kinds: readonly TerminalKind[] = ['plain', 'plain, one process', 'cosession'];

export const start: Bench = {
  name: 'start',
  question:
    'Milliseconds from exec to the input prompt of the terminal, shared by Cosession compared with the plain Gemini CLI.',
  target: 'at most 1.10 of the plain CLI; over one process 1.05, CPU and memory 1.15',
  async run({ say }) {
    const folder = temporaryFolder();
    const model = await startModelServer(() => ({ chunks: [[{ text: 'Hello.' }]] }));
    const used = join(folder.path, 'used');
    const copy = join(folder.path, 'copy');
    const samples = (): Record<TerminalKind, number[]> => ({ cosession: [], plain: [], 'plain, one process': [] });
    const [prompts, cpu, memory] = [samples(), samples(), samples()];
    const cards: number[] = [];
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
          if (cardMs !== undefined) cards.push(cardMs);
        }
      }
    } finally {
      await model.close();
      folder.remove();
    }
    const rowOf = (what: string, times: readonly number[]): Row => ({
      what,
      median: median(times),
      fastest: Math.min(...times),
      'over plain': medianRatio(times, prompts.plain),
      'over one process': medianRatio(times, prompts['plain, one process']),
    });
    return [
      rowOf('plain CLI, ms to the prompt', prompts.plain),
      rowOf('plain CLI in one process, ms to the prompt', prompts['plain, one process']),
      rowOf('Cosession, ms to the prompt', prompts.cosession),
      rowOf('Cosession, ms to the agent card', cards),
      { what: 'Cosession, CPU ms', ...over(cpu) },
      { what: 'Cosession, memory in MB', ...over(memory) },
    ];
  },
};

function over(samples: Readonly<Record<TerminalKind, number[]>>): Row {
  return {
    median: median(samples.cosession),
    'over plain': medianRatio(samples.cosession, samples.plain),
    'over one process': medianRatio(samples.cosession, samples['plain, one process']),
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
      kind === 'cosession' ? cardAnswered(terminal.endpoint()).then(() => now() - startedAt) : undefined,
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
