import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One that starts last would run alone, with the other workers idle. */
const longest = [
  'e2e/acp-agents',
  'e2e/command-line',
  'a2a/foreign-clients',
  'e2e/page',
  'stores/s3',
  'e2e/attach',
  'regression/cut-connections-end-the-server',
  'e2e/chaos',
  'web/session-screen',
  'web/question',
  'web/accessibility',
  'a2a/fuzz',
  'stores/postgres',
  'e2e/cluster-upgrade',
  'e2e/cluster-suites',
  'e2e/acpx',
  'e2e/terminal',
  'e2e/server-docs',
  'client/types',
  'regression/shell-tool-reads-the-servers-secrets',
  'regression/demo-runs-what-the-repository-brings',
  'regression/large-events-closed-every-socket',
  'regression/refused-requests-had-effects',
  'regression/webhooks-forgotten-by-a-restart',
  'web/list-screen',
  'e2e/paired-browser',
  'regression/older-events-were-not-replayed',
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
