// Bundles gemini-cli-core into <outdir>/core: it loads in a quarter of the npm package's time and saves installing its 370 MB.
import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { corePatches } from './core-patches.js';

const require = createRequire(import.meta.url);
const corePackage = '@google/gemini-cli-core';
const source = join(dirname(require.resolve(corePackage)), 'src');

/** In our own bundle, the package resolves to the file built here. All chunks are one folder below it. */
export const coreIsBuilt = {
  name: 'core-is-built',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${corePackage}$`) }, () => ({ path: '../core/core.cjs', external: true }));
  },
};

export async function buildCore(outdir) {
  const { metafile } = await build({
    entryPoints: { core: require.resolve(corePackage) },
    outdir: join(outdir, 'core'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    // Settings name tools by their classes, so identifiers stay. A class that names itself gets a `_`, which core expects.
    // `keepNames` would remove it, at 8 MB for a call for every function.
    metafile: true,
    logLevel: 'error',
    external: ['@lydell/*', 'node-pty', '@github/keytar'],
    loader: { '.node': 'file' },
    plugins: [wasmAsBytes, withoutTelemetry, withPatches],
  });
  for (const folder of ['policy/policies', 'skills/builtin'])
    cpSync(join(source, folder), join(outdir, 'core', folder.split('/')[1]), { recursive: true });
  return metafile;
}

const wasmAsBytes = {
  name: 'wasm-as-bytes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?binary$/ }, ({ path }) => ({
      path: require.resolve(path.replace('?binary', ''), { paths: [source] }),
      namespace: 'wasm',
    }));
    onLoad({ filter: /.*/, namespace: 'wasm' }, ({ path }) => ({ contents: readFileSync(path), loader: 'binary' }));
  },
};

/** Files of core that are replaced, each with the reason. */
const replaced = [
  // Without its SDK, core keeps every event forever, including every prompt and reply. We send none of them anywhere.
  {
    file: /telemetry\/sdk\.js$/,
    contents: `
      export const isTelemetrySdkInitialized = () => true;
      export const bufferTelemetryEvent = () => {};
      export const initializeTelemetry = async () => {};
      export const flushTelemetry = async () => {};
      export const shutdownTelemetry = async () => {};`,
  },
  {
    file: /telemetry\/(gcp-exporters|file-exporters)\.js$/,
    contents: ['GcpTrace', 'GcpMetric', 'GcpLog', 'FileSpan', 'FileLog', 'FileMetric']
      .map((name) => `export class ${name}Exporter {}`)
      .join('\n'),
  },
  // Spans that go nowhere: each would keep its whole request in memory until V8 has collected garbage twice.
  {
    file: /telemetry\/trace\.js$/,
    contents: `
      export const runInDevTraceSpan = async ({ operation }, run) =>
        run({ metadata: { name: operation, attributes: {} } });`,
  },
  // Writes the whole conversation to the temporary folder whenever the model answers with an error.
  { file: /utils\/errorReporting\.js$/, contents: 'export const reportError = async () => {};' },
];

/** The build fails if a file of core is not the one that a patch was written for. */
const withPatches = {
  name: 'with-patches',
  setup({ onLoad }) {
    for (const { file, changes } of corePatches) {
      onLoad({ filter: file }, ({ path }) => ({
        contents: changes.reduce(
          (text, [before, after]) => {
            if (text.split(before).length !== 2) throw new Error(`${path} has changed: ${before}`);
            return text.replace(before, () => after);
          },
          readFileSync(path, 'utf8'),
        ),
        loader: 'js',
      }));
    }
  },
};

const unused =
  /^(@google-cloud\/(logging|opentelemetry.*)|@opentelemetry\/(sdk-node|exporter-.*|instrumentation-http|otlp-exporter-base)|puppeteer-core|systeminformation)$/;

const withoutTelemetry = {
  name: 'without-telemetry',
  setup({ onResolve, onLoad }) {
    for (const { file, contents } of replaced) {
      const inCore = new RegExp(`gemini-cli-core/dist/src/${file.source}`);
      onLoad({ filter: inCore }, () => ({ contents, loader: 'js' }));
    }
    onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: 'module.exports = new Proxy({}, { get: () => class {} })',
      loader: 'js',
    }));
  },
};
