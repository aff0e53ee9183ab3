import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One that starts last would run alone, with the other workers idle. */
const longest = [
  'e2e/acp-agents',
  'a2a/foreign-clients',
  'e2e/chaos',
  'stores/s3',
  'regression/cut-connections-end-the-server',
  'e2e/page',
  'e2e/command-line',
  'stores/postgres',
  'a2a/fuzz',
  'regression/webhooks-forgotten-by-a-restart',
  'regression/large-events-closed-every-socket',
  'e2e/install',
  'e2e/paired-browser',
  'e2e/cluster-upgrade',
  'regression/refused-requests-had-effects',
  'web/mishaps',
  'e2e/serve-client-mcp',
  'a2a/checklist',
  'e2e/goose-tui',
  'web/question',
  'a2a/cluster-checklist',
  'e2e/cluster-suites',
  'e2e/serve-several',
  'e2e/serve-shutdown',
  'web/list-screen',
  'web/accessibility',
  'e2e/attach',
  'regression/demo-runs-what-the-repository-brings',
  'e2e/cluster',
  'e2e/server-docs',
  'web/session-screen',
  'regression/truncated-reply-told-as-completed',
  'regression/shell-tool-reads-the-servers-secrets',
  'regression/deleted-task-stayed-in-memory',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      // Vitest ends the processes that files share when one that needs its own is next.
      if (project.config.isolate) return longest.length + 1;
      const found = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return found < 0 ? longest.length : found;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
