import { type Random, randomOf } from '../../test/support/chaos/random.js';
import { runCommand, sayChunks, writeFile } from '../support/order.js';
import { ask } from './requests.js';
import { count, overA2a, overSocket, overStream, type Tally } from './turns.js';

type Task = { readonly id: string; turnsLeft: number; cursor: number };

/** Tasks that are worked on at a time, more than may be in memory: whoever comes back to one has it opened again. */
const tasksAtOnce = 40;
const clientsAtOnce = 8;
/** Turns of a task's life; then it is deleted, or nobody comes back to it. */
const lives = [3, 10, 30, 100];

/** Clients of every kind that come, lose their connection, come back, ask, answer, take back and leave. */
export class SoakLoad {
  readonly tally: Tally = new Map();
  readonly #port: number;
  readonly #random: Random;
  readonly #free: Task[] = [];
  #made = 0;

  constructor(port: number, seed: number) {
    this.#port = port;
    this.#random = randomOf(seed);
  }

  async run(turns: number): Promise<void> {
    let left = turns;
    const work = async (): Promise<void> => {
      while (left-- > 0) await this.#turn();
    };
    await Promise.all(Array.from({ length: clientsAtOnce }, work));
  }

  /** Only empty tasks are in memory from now on, as many as may be: what else is there is not of any task. */
  async rest(maxLoaded: number): Promise<void> {
    for (let index = 0; index < maxLoaded; index++)
      await ask(this.#port, { path: '/tasks', body: { contextId: `empty-${index}` } });
    for (let index = 0; index < maxLoaded; index++)
      await ask(this.#port, { method: 'DELETE', path: `/tasks/empty-${index}` });
  }

  async #turn(): Promise<void> {
    const task = await this.#take();
    const random = this.#random;
    const client = random.pick([overSocket, overStream, overA2a]) ?? overSocket;
    const request = { port: this.#port, taskId: task.id, cursor: task.cursor, random, tally: this.tally };
    task.cursor = await client({ ...request, prompt: this.#order(task) });
    count(this.tally, 'turns');
    if (random.chance(0.2)) await this.#look(task);
    if (--task.turnsLeft > 0) this.#free.push(task);
    else if (random.chance(0.5)) await this.#delete(task);
  }

  /** A new one is in the pool only when it has had its first turn. */
  async #take(): Promise<Task> {
    const random = this.#random;
    if (this.#free.length >= tasksAtOnce - clientsAtOnce) {
      const [task] = this.#free.splice(random.below(this.#free.length), 1);
      if (task) return task;
    }
    const id = `soak-${++this.#made}`;
    await ask(this.#port, { path: '/tasks', body: { contextId: id } });
    count(this.tally, 'tasks made');
    return { id, turnsLeft: random.pick(lives) ?? 1, cursor: 0 };
  }

  #order({ id, turnsLeft }: Task): string {
    const random = this.#random;
    const orders = [
      sayChunks(30, 1),
      runCommand(`echo ${id} ${turnsLeft} >> runs.txt; echo done`),
      writeFile(`${id}-${random.below(3)}.txt`, 20_000),
    ];
    return random.pick(orders) ?? '';
  }

  /** What a client reads between two turns: the task, and one of its artifacts. */
  async #look({ id }: Task): Promise<void> {
    await ask(this.#port, { method: 'GET', path: `/tasks/${id}` });
    const path = `/tasks/${id}/artifacts`;
    const { artifacts } = JSON.parse(await ask(this.#port, { method: 'GET', path })) as {
      artifacts: { name: string }[];
    };
    const artifact = this.#random.pick(artifacts);
    if (!artifact) return;
    await ask(this.#port, { method: 'GET', path: `${path}/${artifact.name}` });
    count(this.tally, 'artifacts read');
  }

  async #delete({ id }: Task): Promise<void> {
    await ask(this.#port, { method: 'DELETE', path: `/tasks/${id}` });
    count(this.tally, 'tasks deleted');
  }
}
