// npm start: the demo on port 41243, or cosession with the arguments given after --.
import { spawnSync } from 'node:child_process';
import { ensureBuilt, ensureInstalled } from './setup.js';

ensureInstalled();
ensureBuilt();
const given = process.argv.slice(2);
const args = given.length > 0 ? given : ['--demo', '--a2a-port', '41243'];
const { status } = spawnSync(process.execPath, ['dist/main.js', ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
