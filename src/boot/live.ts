import { fileURLToPath } from 'node:url';
import { loadScript } from './load-script.js';

loadScript(fileURLToPath(new URL('./live.cjs', import.meta.url)));
