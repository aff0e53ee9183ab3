import type { Action } from './command.js';

export const model: Action = {
  needsTask: true,
  run({ config }, { name }) {
    // Temporary: a session's choice is not written into the settings of the user.
    if (name !== undefined) config.setModel(name, true);
    const current = config.getModel();
    const text = name === undefined ? `The model is ${current}.` : `The model is ${current} from now on.`;
    return Promise.resolve({ text, data: { model: current } });
  },
};
