// Bundles into dist/ what users run: the launcher, the code it loads into the Gemini CLI, the client library, the page.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { asScripts } from './as-scripts.js';
import { buildBrowserClient, buildNodeClient } from './build-client.js';
import { buildCore, coreIsBuilt } from './build-core.js';
import { buildWeb } from './build-web.js';
import { leanExpress } from './lean-express.js';

// Built next to the old dist and swapped in when complete, so a failed build does not break running programs.
const next = 'dist.next';
rmSync(next, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: {
    main: 'src/main.ts',
    live: 'src/apps/live/main.ts',
    'engine-child': 'src/engine/pool/engine-child.ts',
  },
  outdir: next,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // A twentieth of the start, and 3 MB of memory.
  minifyWhitespace: true,
  metafile: true,
  // Native, so they are installed as packages.
  external: ['libsql', 'koffi'],
  logLevel: 'warning',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [coreIsBuilt, leanExpress],
});
const core = await buildCore(next);
await Promise.all([metafile, core].map(asScripts));
await build({
  entryPoints: {
    main: 'src/boot/main.ts',
    live: 'src/boot/live.ts',
    'engine-child': 'src/boot/engine-child.ts',
    // Node loads it into a thread of its own.
    'loader-thread': 'src/engine/live/loader-thread.ts',
  },
  outdir: next,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifyWhitespace: true,
  logLevel: 'warning',
});
await buildBrowserClient(next);
await buildNodeClient(next);

// The bundle includes the licences of everything in it.
const inputs = [metafile, core, await buildWeb(next)].flatMap((built) => Object.keys(built.inputs));
const packages = new Set(
  inputs
    .map((file) => file.replace(/^wasm:/, ''))
    .flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
);
const notices = [...packages].toSorted().map((root) => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const text =
    ['LICENSE', 'LICENSE.md', 'license', 'LICENCE'].map((file) => tryRead(join(root, file))).find(Boolean) ?? '';
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
});
writeFileSync(`${next}/THIRD-PARTY-NOTICES.txt`, notices.join(`\n${'-'.repeat(80)}\n\n`));
rmSync('dist', { recursive: true, force: true });
renameSync(next, 'dist');

function tryRead(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
