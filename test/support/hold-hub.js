/// <reference types="node" />
// Loaded into the Gemini CLI with `node --import`: our hub is loaded only once the file that HOLD_HUB_UNTIL names exists.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = JSON.stringify(process.env['HOLD_HUB_UNTIL'] ?? '');
const held = `(async () => {
  while (!require('node:fs').existsSync(${file})) await new Promise((resolve) => setTimeout(resolve, 20));
})()`;

const { readFileSync } = fs;
Object.assign(fs, {
  /** @type {(...args: Parameters<typeof readFileSync>) => Buffer | string} */
  readFileSync: (...args) => {
    const read = readFileSync(...args);
    if (!String(args[0]).endsWith('/dist/live.cjs')) return read;
    // The script loads the hub with this.
    const parts = read
      .toString('latin1')
      .split(/Promise\.resolve\(\)(?=\.then\(\(\)=>\w*\(?require\("\.\/chunks\/app-)/);
    if (parts.length !== 2) throw new Error('live.cjs loads the hub in another way');
    return Buffer.from(parts.join(held), 'latin1');
  },
});
syncBuiltinESMExports();
