// Builds the page into <folder>/web: one HTML file, one style sheet, a first script and chunks that are loaded on demand.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Returns esbuild's metafile. */
export async function buildWeb(folder) {
  const out = join(folder, 'web');
  const options = {
    entryPoints: { main: 'src/web/main.tsx', app: 'src/web/app.css' },
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: 'src/web/tsconfig.json',
    chunkNames: 'chunks/[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const { metafile: split } = await build({ ...options, write: false });
  const { metafile } = await build({ ...options, plugins: [oneFirstChunk(split)] });
  cpSync('src/web/static', out, { recursive: true });
  writeFileSync(join(out, 'index.html'), withPreloads(readFileSync('src/web/index.html', 'utf8'), metafile, out));
  await buildWorker(out, metafile);
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (/\.(html|js|css|svg|webmanifest)$/.test(file)) compress(join(out, file));
  }
  return metafile;
}

/**
 * esbuild makes a chunk for every set of screens that share a file: twenty small ones before the first paint. If every part
 * that is loaded on demand imports the whole first screen, which is there by then, all that they share is one chunk.
 */
function oneFirstChunk({ outputs }) {
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const later = new Set(
    entries.filter((file) => /\.tsx?$/.test(file) && file !== 'src/web/main.tsx').map((file) => resolve(file)),
  );
  return {
    name: 'one-first-chunk',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!later.has(path)) return undefined;
        const first = JSON.stringify(resolve('src/web/app.tsx'));
        return {
          contents: `${readFileSync(path, 'utf8')}\nimport ${first};\n`,
          loader: path.endsWith('x') ? 'tsx' : 'ts',
        };
      });
    },
  };
}

/** The service worker knows which files the first load needs. Any change of them makes it another one, which browsers notice. */
async function buildWorker(out, { outputs }) {
  const first = [...importsOf(`${out}/main.js`, outputs)].map((file) => file.slice(out.length + 1));
  const files = ['main.js', 'app.css', 'icon.svg', 'manifest.webmanifest', ...first];
  const hash = createHash('sha256');
  for (const file of ['index.html', ...files]) hash.update(readFileSync(join(out, file)));
  const shell = { version: hash.digest('hex').slice(0, 12), files: ['./', ...files.map((file) => `ui/${file}`)] };
  await build({
    entryPoints: { sw: 'src/web/worker/sw.ts' },
    outdir: out,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    tsconfig: 'src/web/worker/tsconfig.json',
    define: { shell: JSON.stringify(shell) },
    logLevel: 'warning',
  });
}

/** A browser learns what the first script imports only when it has read it. These lines let it fetch everything at once. */
function withPreloads(html, { outputs }, out) {
  const preloads = [...importsOf(`${out}/main.js`, outputs)].map(
    (file) => `<link rel="modulepreload" href="ui${file.slice(out.length)}" />`,
  );
  return html.replace('<script', `${preloads.join('\n    ')}\n    <script`).replaceAll(/\s*\n\s*/g, '\n');
}

function importsOf(file, outputs, found = new Set()) {
  for (const { kind, path } of outputs[file].imports) {
    if (kind !== 'import-statement' || found.has(path)) continue;
    found.add(path);
    importsOf(path, outputs, found);
  }
  return found;
}

/** Compressed once here, as well as it goes, not on every request. */
function compress(file) {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  );
}
