import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One that starts last would run alone, with the other workers idle. */
const longest = [
  'e2e/chaos',
  'regression/cut-connections-end-the-server',
  'a2a/fuzz',
  'regression/large-events-closed-every-socket',
  'stores/s3',
  'e2e/command-line',
  'regression/older-events-were-not-replayed',
  'regression/webhooks-forgotten-by-a-restart',
  'e2e/acp-agents',
  'regression/refused-requests-had-effects',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return found < 0 ? longest.length : found;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
