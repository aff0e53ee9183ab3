import { fileURLToPath } from 'node:url';
import { runScript } from './load-script.js';

runScript(fileURLToPath(new URL('./live.cjs', import.meta.url)), { isServer: false });
