import { fileURLToPath } from 'node:url';
import { runScript } from './load-script.js';

runScript(fileURLToPath(new URL('./engine-child.cjs', import.meta.url)), { isServer: true });
