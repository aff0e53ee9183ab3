import { setFlagsFromString } from 'node:v8';

/**
 * Core parses shell commands with WebAssembly. V8 would optimise it in the background, and the process could not exit
 * until that is done: half a second on an idle machine, many on a busy one.
 */
export function compileWasmOnce(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}
