import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../src/demo/model-server.js';
import { answerAll, liveAndDie } from '../support/chaos/life.js';
import { randomOf } from '../support/chaos/random.js';
import { chaosScript, runsFile } from '../support/chaos/script.js';
import { Witness } from '../support/chaos/witness.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** `npm run chaos` asks for more. */
const rounds = Number(process.env['CHAOS_ROUNDS'] ?? 1);
const killsPerRound = 20;
const firstSeed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const tasks = 6;

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(chaosScript);
});
afterAll(() => model.close());

const open = async (server: ServeProcess, taskId: string, autoExecute: boolean): Promise<Witness> => {
  const response = await server.post('tasks', { contextId: taskId, agentSettings: { autoExecute } });
  expect(response.status).toBe(201);
  return new Witness(taskId);
};

for (let round = 0; round < rounds; round++) {
  const seed = firstSeed + round;

  test(`${killsPerRound} times kill -9: nothing acknowledged is lost, nothing runs twice, nothing hangs (seed ${seed})`, async () => {
    const folder = temporaryFolder();
    const random = randomOf(seed);
    const start = () => startServe({ folder, modelUrl: model.url, args: ['--allow-auto-execute', '--trust', 'all'] });
    let number = 0;
    const newId = (): string => `r${round}p${++number}`;

    let server = await start();
    const witnesses: Witness[] = [];
    // Two of them run their tools without being asked.
    for (let i = 0; i < tasks; i++) witnesses.push(await open(server, `task-${i}`, i < 2));
    for (let kill = 0; kill < killsPerRound; kill++) {
      await liveAndDie({ server, witnesses, random, newId });
      server = await start();
    }

    await Promise.all(witnesses.map((witness) => witness.connect(server.base)));
    await until(() => {
      void Promise.all(witnesses.map(answerAll)).catch(() => {});
      return witnesses.every(({ openTurns }) => openTurns.length === 0);
    }, 60_000).catch(() => {});

    expect(witnesses.flatMap(({ broken }) => broken)).toEqual([]);
    const runs = linesOf(join(folder, 'workspace', runsFile));
    expect(
      runs.filter((id, index) => runs.indexOf(id) !== index),
      'ran twice',
    ).toEqual([]);
    for (const witness of witnesses) checkPromises(witness, runs);
    process.stdout.write(
      `seed ${seed}: ${killsPerRound} kills, ${sum(witnesses, (one) => one.accepted.size)} prompts, ` +
        `${sum(witnesses, (one) => one.calls.size)} calls, ${runs.length} runs, ${sum(witnesses, (one) => one.events.length)} events\n`,
    );
  }, 600_000);
}

function checkPromises({ taskId, accepted, calls, declined, events }: Witness, runs: readonly string[]): void {
  for (const { turnId, id } of accepted.values()) {
    const about = events.filter((event) => event['turnId'] === turnId);
    expect(
      about.filter(({ final }) => final),
      `ends of ${id} in ${taskId}`,
    ).toHaveLength(1);
    expect(about.some(({ kind, messageId }) => kind === 'USER_MESSAGE' && messageId === id)).toBe(true);
  }
  for (const { status, input_parameters, tool_call_id } of calls.values()) {
    const id = input_parameters.description ?? '';
    expect(['SUCCEEDED', 'FAILED', 'CANCELLED'], `${tool_call_id} of ${taskId} has a fate`).toContain(status);
    if (status === 'SUCCEEDED') expect(runs, `${id} succeeded`).toContain(id);
    if (declined.has(id)) expect(runs, `${id} was declined`).not.toContain(id);
  }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
