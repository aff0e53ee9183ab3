import { ManualEngine } from './manual-engine.js';

export const modes = ['default', 'plan'].map((id) => ({ id, name: id }));
const models = ['large', 'small'].map((id) => ({ id, name: id }));

/** An engine that lets clients choose its mode and its model. */
export function settableEngine(): ManualEngine {
  const engine = new ManualEngine();
  const now = { model: 'large', approvalMode: 'default' };
  const tell = (): void => engine.report({ type: 'settings', ...now });
  engine.settings = {
    open: async () => tell(),
    choices: () => ({ modes, models }),
    async setMode(id) {
      now.approvalMode = id;
      tell();
    },
    async setModel(id) {
      now.model = id;
      tell();
    },
  };
  return engine;
}
