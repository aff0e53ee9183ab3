#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runScript } from './load-script.js';

runScript(fileURLToPath(new URL('./main.cjs', import.meta.url)), { isServer: process.argv[2] === 'serve' });
