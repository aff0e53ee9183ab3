import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../src/demo/model-server.js';
import { isTurnEnd } from '../../src/domain/events.js';
import { openStore } from '../../src/stores/open.js';
import { finish, liveAndDie } from '../support/chaos/life.js';
import { brokenPromises } from '../support/chaos/promises.js';
import { randomOf } from '../support/chaos/random.js';
import { chaosScript, runsFile } from '../support/chaos/script.js';
import { Witness } from '../support/chaos/witness.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** `npm run chaos` asks for more. */
const isAskedFor = process.env['CHAOS_ROUNDS'] !== undefined;
const rounds = Number(process.env['CHAOS_ROUNDS'] ?? 1);
const killsPerRound = isAskedFor ? 20 : 10;
const firstSeed = Number(process.env['CHAOS_SEED'] ?? 1);
const tasks = 6;
const slowDisk = pathToFileURL(resolve('test/support/chaos/slow-disk.js')).href;

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(chaosScript);
});
afterAll(() => model.close());

for (let round = 0; round < rounds; round++) {
  const seed = firstSeed + round;

  test(`${killsPerRound} times kill -9: nothing acknowledged is lost, nothing runs twice, nothing hangs (seed ${seed})`, async () => {
    const folder = temporaryFolder();
    const random = randomOf(seed);
    let number = 0;
    const newId = (): string => `r${round}p${++number}`;
    const start = (): Promise<ServeProcess> => {
      // A process that dies with core's lock in its hands keeps it for ten seconds: correct, and a waste of our time.
      rmSync(join(folder, 'home/.gemini/projects.json.lock'), { recursive: true, force: true });
      const args = ['--allow-auto-execute', '--trust', 'all'];
      return startServe({ folder, modelUrl: model.url, args, env: { NODE_OPTIONS: `--import=${slowDisk}` } });
    };

    let server = await start();
    const witnesses: Witness[] = [];
    // Two of them run their tools without being asked.
    for (let i = 0; i < tasks; i++) witnesses.push(await open(server, `task-${i}`, i < 2));
    const deaths: string[] = [];
    for (let kill = 0; kill < killsPerRound; kill++) {
      deaths.push(await liveAndDie({ server, witnesses, random, newId }));
      const unfinished = await unfinishedIn(join(folder, 'state'), witnesses);
      server = await start();
      // Otherwise clients come while the server takes its tasks up.
      if (random.chance(0.5)) await expectTakenUp(server, unfinished);
    }

    await Promise.all(witnesses.map((witness) => witness.connect(server.base)));
    await Promise.all(witnesses.map(finish));

    const runs = linesOf(join(folder, 'workspace', runsFile));
    expect(witnesses.flatMap((witness) => brokenPromises(witness, runs))).toEqual([]);
    expect(runs.filter((id, index) => runs.indexOf(id) !== index)).toEqual([]);
    if (!isAskedFor) return;
    process.stdout.write(
      `seed ${seed}: ${sum(witnesses, (one) => one.accepted.size)} prompts, ${sum(witnesses, (one) => one.calls.size)} calls, ` +
        `${runs.length} runs, ${sum(witnesses, (one) => one.events.length)} events; killed at ${countOf(deaths)}\n`,
    );
  }, 1_200_000);
}

async function open(server: ServeProcess, taskId: string, autoExecute: boolean): Promise<Witness> {
  const response = await server.post('tasks', { contextId: taskId, agentSettings: { autoExecute } });
  expect(response.status).toBe(201);
  return new Witness(taskId);
}

/** How many tasks have a turn that has not ended: the store knows ends that a crash kept from everybody. */
async function unfinishedIn(stateDir: string, witnesses: readonly Witness[]): Promise<number> {
  const store = await openStore('sqlite:', { stateDir, env: {} });
  const logs = await Promise.all(witnesses.map(({ taskId }) => store.read(taskId, 0, 100_000)));
  await store.close();
  return logs.filter((log) => {
    const ended = new Set(
      log.flatMap((event) => (event.type === 'turn' && isTurnEnd(event.state) ? [event.turnId] : [])),
    );
    return log.some(({ type, turnId }) => type === 'prompt' && !ended.has(turnId));
  }).length;
}

/** What was not finished is gone on with, whether or not anybody asks for it. */
async function expectTakenUp(server: ServeProcess, unfinished: number): Promise<void> {
  if (unfinished === 0) return;
  const { count } = await server.logged('tasks recovered after a restart');
  expect(count).toBeGreaterThanOrEqual(unfinished);
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function countOf(words: readonly string[]): string {
  return [...new Set(words)].map((word) => `${word} ${words.filter((other) => other === word).length}`).join(', ');
}
