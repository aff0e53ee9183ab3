// Builds the client library. `node scripts/build-client.js` builds the package @cosession/client, which depends on nothing.
import { copyFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeClientTypes } from './client-types.js';

/** For browsers: one file that does not depend on Node. */
export async function buildBrowserClient(outdir) {
  const from = { entryPoints: { client: 'src/client/client.ts' }, outdir, bundle: true };
  await build({ ...from, platform: 'neutral', format: 'esm', target: 'es2022', logLevel: 'warning' });
  await writeClientTypes(outdir);
}

/** For Node, with its own WebSocket: Node 20 has none. */
export async function buildNodeClient(outdir) {
  const from = { entryPoints: { 'client-node': 'src/client/node.ts' }, outdir, bundle: true };
  const banner = {
    js: "import { createRequire as cosessionRequire } from 'node:module'; const require = cosessionRequire(import.meta.url);",
  };
  await build({ ...from, platform: 'node', format: 'esm', target: 'node20', banner, logLevel: 'warning' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = 'packages/client/dist';
  rmSync(folder, { recursive: true, force: true });
  await buildBrowserClient(folder);
  await buildNodeClient(folder);
  // Its WebSocket is that of ws.
  copyFileSync('node_modules/ws/LICENSE', `${folder}/THIRD-PARTY-NOTICES.txt`);
}
