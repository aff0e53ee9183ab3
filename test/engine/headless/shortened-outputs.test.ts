import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Config, Content } from '@google/gemini-cli-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openConfig } from '../../support/headless-config.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Service = {
  mask(history: readonly Content[], config: Config): Promise<{ readonly newHistory: readonly Content[] }>;
};

const core = dirname(createRequire(import.meta.url).resolve('@google/gemini-cli-core'));
const { ToolOutputMaskingService } = (await import(join(core, 'src/context/toolOutputMaskingService.js'))) as {
  ToolOutputMaskingService: new () => Service;
};
const { debugLogger } = (await import(join(core, 'src/utils/debugLogger.js'))) as {
  debugLogger: { debug: () => void };
};
debugLogger.debug = () => {};

const limits = { protectionThresholdTokens: 50, minPrunableThresholdTokens: 30 };

/** With folders of its own and limits that a short conversation reaches. */
function configFor(protectLatestTurn: boolean): { readonly config: Config; readonly folder: string } {
  const folder = temporaryFolder();
  const config = {
    getToolOutputMaskingConfig: async () => ({ ...limits, protectLatestTurn }),
    storage: { getProjectTempDir: () => folder },
    getSessionId: () => 'session',
    getUsageStatisticsEnabled: () => false,
    getTelemetryLogPromptsEnabled: () => false,
  };
  return { config: config as unknown as Config, folder };
}

/** Core names its files by chance. */
const named = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/[^"\s]*tool-outputs[^"\s\\]*/g, 'a file'));

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'tool-outputs', 'session-session')).catch(() => []);
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, 'tool-outputs', 'session-session', name), 'utf8')),
  );
  return texts.toSorted();
}

const part = fc.oneof(
  fc.record({ text: fc.string({ maxLength: 50 }) }),
  fc
    .record({
      name: fc.constantFrom('run_shell_command', 'read_file', 'ask_user'),
      response: fc.oneof(
        fc.constant(undefined),
        fc.record({ output: fc.string({ maxLength: 100 }) }),
        fc.record({ output: fc.string({ minLength: 2000, maxLength: 4000 }) }),
        fc.record({ output: fc.constant('<tool_output_masked>short</tool_output_masked>') }),
        fc.record({ error: fc.string({ maxLength: 100 }), exitCode: fc.integer() }),
      ),
    })
    .map(({ name, response }) => ({ functionResponse: { id: 'id', name, ...(response ? { response } : {}) } })),
);
const history: fc.Arbitrary<Content[]> = fc.array(
  fc.record({ role: fc.constantFrom('user', 'model'), parts: fc.array(part, { maxLength: 3 }) }),
  { maxLength: 12 },
);

test('outputs are shortened as core does it, request after request', async () => {
  const { config } = await openConfig({}, 'http://127.0.0.1:1');
  const client = config.geminiClient as unknown as { readonly toolOutputMaskingService: Service };
  const [theirs, ours] = [new ToolOutputMaskingService(), client.toolOutputMaskingService];
  let shortened = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 3 }), fc.boolean(), async (requests, isProtected) => {
      const [expected, found] = [configFor(isProtected), configFor(isProtected)];
      let [before, after]: (readonly Content[])[] = [[], []];
      for (const more of requests) {
        before = (await theirs.mask([...(before ?? []), ...more], expected.config)).newHistory;
        const next = [...(after ?? []), ...more];
        after = (await ours.mask(next, found.config)).newHistory;
        if (after !== next) shortened++;
        expect(named(after)).toEqual(named(before));
      }
      expect(await filesIn(found.folder)).toEqual(await filesIn(expected.folder));
    }),
    { numRuns: 150 },
  );
  expect(shortened).toBeGreaterThan(20);
});
