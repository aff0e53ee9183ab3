import { fileURLToPath } from 'node:url';
import { compileWasmOnce } from './compile-wasm-once.js';
import { runScript } from './load-script.js';

// Before anything is compiled: what V8 keeps is valid only under the same options.
compileWasmOnce();
runScript(fileURLToPath(new URL('./engine-child.cjs', import.meta.url)), { isServer: true });
