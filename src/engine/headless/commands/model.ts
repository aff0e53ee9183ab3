import type { Action } from './command.js';

export const model: Action = {
  needsTask: true,
  run({ config }, { name }) {
    // Temporary: the session's choice is not written to the user's settings.
    if (name !== undefined) config.setModel(name, true);
    const current = config.getModel();
    const text = name === undefined ? `The model is ${current}.` : `The model is ${current} from now on.`;
    return Promise.resolve({ text, data: { model: current } });
  },
};
