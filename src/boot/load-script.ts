import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadBuiltIns } from './built-ins.js';
import { compileWasmOnce } from './compile-wasm-once.js';
import { CompiledCode } from './compiled-code.js';
import { YoungGeneration } from './young-generation.js';

/** The build wraps each of our files into such a function (scripts/as-scripts.js). */
type Body = (
  exports: object,
  require: (id: string) => unknown,
  module: Module,
  filename: string,
  folder: string,
  url: string,
) => void;

type Module = { exports: object };

const young = new YoungGeneration();
const code = new CompiledCode(process.env, (keep) => young.whileSmall(keep));
const modules = new Map<string, Module>();
const requireOther = createRequire(import.meta.url);

/** Loads the script that a process begins with. What V8 compiles of it and of all others from then on is kept. */
export function runScript(path: string, { isServer }: { readonly isServer: boolean }): void {
  // Others end soon. In a terminal, Node loads the Gemini CLI under the options that V8 began with.
  if (isServer) {
    loadBuiltIns();
    // Before anything of ours is compiled: what V8 keeps is valid only under the same options.
    compileWasmOnce();
    young.limit();
  }
  code.startKeeping();
  process.once('exit', () => code.keep());
  loadScript(path);
}

/** Loads one of our own files, once, with what V8 has compiled of it before. Node can do that for modules only from release 22.1. */
export function loadScript(path: string): unknown {
  return (modules.get(path) ?? young.whileSmall(() => load(path))).exports;
}

function load(path: string): Module {
  const module: Module = { exports: {} };
  // Before it runs: two files may need each other.
  modules.set(path, module);
  const folder = dirname(path);
  const require = (id: string): unknown => (id.startsWith('.') ? loadScript(join(folder, id)) : requireOther(id));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our build
  const body = code.compile(path).runInThisContext() as Body;
  body(module.exports, require, module, path, folder, pathToFileURL(path).href);
  return module;
}
