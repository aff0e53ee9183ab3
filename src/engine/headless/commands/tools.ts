import type { Action } from './command.js';

export const tools: Action = {
  needsTask: true,
  run({ config }) {
    const list = config.toolRegistry.getAllTools().map(({ name, displayName, description, schema }) => ({
      name,
      displayName,
      description,
      parameterSchema: schema.parametersJsonSchema,
    }));
    const lines = list.map(({ name, displayName }) => `${name} (${displayName})`);
    return Promise.resolve({ text: lines.join('\n'), data: { tools: list } });
  },
};
