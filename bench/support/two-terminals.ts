import { join } from 'node:path';
import { readyPrompt } from '../../test/support/live.js';
import { temporaryFolder } from './clean-up.js';
import { startTerminal, type Terminal } from './terminal.js';
import { startTimedModel, type TimedModel } from './timed-model.js';

export type TwoTerminals = { readonly plain: Terminal; readonly shared: Terminal; readonly model: TimedModel };

/** Starts the plain CLI and one shared by Cosession, both waiting for input. They take turns; the other one is idle. */
export async function withTwoTerminals(run: (terminals: TwoTerminals) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const model = await startTimedModel();
  const [plain, shared] = (['plain', 'cosession'] as const).map((kind) =>
    startTerminal({ kind, folder: join(folder.path, kind), modelUrl: model.url }),
  ) as [Terminal, Terminal];
  try {
    await Promise.all([plain, shared].map(({ screen }) => screen.waitFor(readyPrompt)));
    await run({ plain, shared, model });
  } finally {
    await Promise.all([plain.stop(), shared.stop(), model.close()]);
    folder.remove();
  }
}
