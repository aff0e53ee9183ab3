import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CompiledCode } from './compiled-code.js';

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

const code = new CompiledCode(process.env);
const modules = new Map<string, Module>();
const requireOther = createRequire(import.meta.url);

/** Loads the script that a process begins with. What V8 compiles of it and of all others from then on is kept. */
export function runScript(path: string): void {
  code.startKeeping();
  process.once('exit', () => code.keep());
  loadScript(path);
}

/** Loads one of our own files, once, with what V8 has compiled of it before. Node can do that for modules only from release 22.1. */
export function loadScript(path: string): unknown {
  const known = modules.get(path);
  if (known) return known.exports;
  const module: Module = { exports: {} };
  // Before it runs: two files may need each other.
  modules.set(path, module);
  const folder = dirname(path);
  const require = (id: string): unknown => (id.startsWith('.') ? loadScript(join(folder, id)) : requireOther(id));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our build
  const body = code.compile(path).runInThisContext() as Body;
  body(module.exports, require, module, path, folder, pathToFileURL(path).href);
  return module.exports;
}
