import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from './command.js';

export const init: Action = {
  needsTask: true,
  run({ core, config }) {
    const file = join(config.getTargetDir(), 'GEMINI.md');
    const answer = core.performInit(existsSync(file));
    if (answer.type === 'submit_prompt')
      return Promise.resolve({
        text: 'The agent will describe this workspace in GEMINI.md.',
        data: { file },
        prompt: core.partListUnionToString(answer.content),
      });
    return Promise.resolve({ text: answer.type === 'message' ? answer.content : '', data: { file } });
  },
};
