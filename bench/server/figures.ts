import type { Row } from '../support/bench.js';
import { median } from '../support/statistics.js';
import { type Measure, type MeasureName, measures } from './measures.js';
import { type SideName, sideNames } from './sides.js';

/** All samples of a run. */
export class Figures {
  readonly #samples = new Map<string, number[]>();

  add(side: SideName, measure: MeasureName, ...values: readonly number[]): void {
    if (values.length === 0) return;
    const key = `${side} ${measure}`;
    this.#samples.set(key, [...(this.#samples.get(key) ?? []), ...values]);
  }

  /** A row for each measure that has samples, with the goal beside what was reached. */
  rows(): Row[] {
    const present = sideNames.filter((side) => Object.keys(measures).some((name) => this.#median(side, name)));
    return Object.entries(measures).flatMap(([name, measure]) => {
      const values = new Map(present.map((side) => [side, this.#median(side, name)]));
      const ours = values.get('sqlite:');
      return ours === undefined ? [] : [{ what: name, ...shown(values), ...compared(measure, ours, values) }];
    });
  }

  #median(side: SideName, measure: string): number | undefined {
    const samples = this.#samples.get(`${side} ${measure}`);
    return samples && median(samples);
  }
}

function shown(values: ReadonlyMap<SideName, number | undefined>): Row {
  return Object.fromEntries(Array.from(values, ([side, value]) => [side, value ?? '–']));
}

function compared({ better, goal }: Measure, ours: number, values: ReadonlyMap<SideName, number | undefined>): Row {
  const [floor, upstream, memory] = [values.get('floor'), values.get('upstream'), values.get('memory:')];
  const over = (value: number | undefined): number | undefined =>
    upstream === undefined || value === undefined ? undefined : better === 'more' ? value / upstream : upstream / value;
  const timesBetter = over(ours);
  const ofFloor = floor === undefined ? undefined : ours / floor;
  const row = {
    '× better than upstream': timesBetter ?? '–',
    // Upstream stores nothing, so this compares like with like.
    'with memory:': over(memory) ?? '–',
    'of the floor': ofFloor ?? '–',
  };
  if (!goal) return { ...row, goal: '', met: '' };
  const reached = { upstream: timesBetter, floor: ofFloor, itself: ours }[goal.against];
  if (reached === undefined) return { ...row, goal: goalText(goal), met: 'not measured' };
  const isMet = goal.against === 'upstream' ? reached >= goal.value : reached <= goal.value;
  return { ...row, goal: goalText(goal), met: isMet ? 'yes' : 'no' };
}

function goalText({ against, value }: NonNullable<Measure['goal']>): string {
  if (against === 'itself') return `≤ ${value}`;
  return against === 'upstream' ? `${value} × better` : `≤ ${value} × floor`;
}
