// npm test: runs everything from a fresh clone: install, checks, build, all tests. Arguments are passed to vitest.
import { ensureBuilt, ensureInstalled, run } from './setup.js';

ensureInstalled();
const given = process.argv.slice(2);
if (given.length === 0) run('npm', ['run', '--silent', 'check']);
ensureBuilt();
run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...given]);
