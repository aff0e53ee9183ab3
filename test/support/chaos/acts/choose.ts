import type { Moment } from '../moments.js';
import type { Random } from '../random.js';
import type { Witness } from '../witness.js';
import type { Act } from './act.js';
import { answer } from './answer.js';
import { cancel } from './cancel.js';
import { deleteTask } from './delete.js';
import { leave } from './leave.js';
import { prompt } from './prompt.js';
import { repeat } from './repeat.js';
import { webhook } from './webhook.js';

const acts: readonly Act[] = [prompt, answer, repeat, cancel, webhook, leave, deleteTask];
/** So much more likely is what leads to the moment that a life waits for. */
const wished = 10;

/** What a client does next, as chance has it; undefined when it only watches for now. */
export function chooseAct(witness: Witness, wish: Moment, random: Random): Act | undefined {
  const weights = acts.map((act) => act.weight(witness) * (act.leadsTo.includes(wish) ? wished : 1));
  const idle = 2;
  let place = random.next() * weights.reduce((sum, weight) => sum + weight, idle);
  return acts.find((_act, index) => (place -= weights[index] ?? 0) < 0);
}
