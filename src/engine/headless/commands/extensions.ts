import type { Action } from './command.js';

export const listInstalledExtensions: Action = {
  needsTask: false,
  run({ extensions }) {
    const list = extensions.map(({ name, version, isActive }) => ({ name, version, enabled: isActive }));
    const lines = list.map(({ name, version, enabled }) => `${name} ${version}${enabled ? '' : ' (disabled)'}`);
    return Promise.resolve({
      text: lines.length > 0 ? lines.join('\n') : 'No extensions are installed.',
      data: { extensions: list },
    });
  },
};
