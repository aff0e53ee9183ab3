import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const words = ['domain', 'util'];
/** What a protocol of the server speaks with. */
const hub = [...words, 'auth', 'session', 'tasks', 'dialects'];

/**
 * Who may import whom inside src, to depth two. A room is a folder named here; it may import its own files, and the rooms
 * and files listed. A child knows of its parent only the contract it fulfils, such as `stores/store`. `main.ts`, `cli/run.ts`,
 * `cli/run-command.ts` and `apps/` put everything together and may import all.
 */
const may: Record<string, readonly string[]> = {
  domain: ['util/defined'],
  util: [],
  'util/net': [],
  'util/text': [],
  config: ['util', 'cli/argv/live-flags'],
  // Runs before our code is loaded.
  boot: ['config/cache-dir'],
  auth: [...words],
  audit: [...words],
  engine: ['domain'],
  'engine/gemini': [...words, 'engine/engine'],
  'engine/headless': [...words, 'engine/engine', 'engine/gemini'],
  'engine/live': [...words, 'engine/engine', 'engine/gemini'],
  'engine/acp': [...words, 'engine/engine'],
  'engine/pool': [...words, 'engine/engine', 'engine/task-engine', 'engine/gemini', 'engine/headless', 'engine/acp'],
  stores: [...words, 'stores/shared', 'stores/sqlite', 'stores/postgres', 'stores/bucket'],
  'stores/shared': [...words, 'stores/store'],
  'stores/sqlite': [...words, 'stores/store', 'stores/shared'],
  'stores/postgres': [...words, 'stores/store', 'stores/shared'],
  'stores/bucket': [...words, 'stores/store', 'stores/shared'],
  'stores/transfer': [...words, 'stores/store'],
  session: [...words, 'engine/engine', 'stores/store', 'session/calls', 'session/log'],
  'session/calls': [...words],
  'session/log': [...words, 'stores/store', 'session/calls/after-answer'],
  tasks: [...words, 'session', 'engine/engine', 'engine/task-engine', 'stores/store'],
  cluster: [...words, 'session', 'tasks', 'engine/engine', 'engine/task-engine', 'stores/store', 'cluster/bus'],
  'cluster/bus': [...words, 'stores/postgres/postgres-database'],
  dialects: ['domain'],
  'dialects/shared': [...words],
  'dialects/development-tool': [...words, 'dialects/dialect', 'dialects/shared', 'dialects/endpoint'],
  'dialects/endpoint': [...words, 'dialects/dialect', 'dialects/shared'],
  'dialects/coder-agent': [...words, 'dialects/dialect', 'dialects/shared'],
  'dialects/execute': [...words, 'dialects/dialect', 'dialects/shared', 'dialects/coder-agent'],
  'dialects/a2a': [...words, 'dialects/shared', 'dialects/development-tool'],
  'dialects/acp': [...words, 'dialects/shared'],
  'dialects/acp-v1': [...words, 'dialects/shared', 'dialects/acp'],
  'dialects/acp-v2': [...words, 'dialects/shared', 'dialects/acp'],
  server: [...hub, 'server/*'],
  'server/http': [...words, 'auth', 'tasks'],
  'server/tls': [...words],
  'server/door': [...words, 'auth', 'server/http', 'server/tls'],
  'server/alerts': [...hub, 'server/http', 'server/guards', 'server/routes', 'server/a2a/push'],
  'server/guards': [...words, 'auth', 'server/door'],
  'server/observe': [...words, 'session', 'tasks', 'server/guards'],
  'server/endpoint': [...hub, 'server/http', 'server/guards'],
  'server/describe': ['domain', 'dialects', 'server/http', 'server/endpoint', 'server/routes'],
  'server/sockets': [...words, 'auth', 'session', 'server/http', 'server/guards', 'server/endpoint'],
  'server/routes': [...hub, 'server/http', 'server/guards', 'server/observe', 'server/endpoint'],
  'server/page': [...words, 'auth', 'dialects/shared', 'server/door', 'server/guards', 'server/routes'],
  'server/a2a': [...hub, 'server/http', 'server/door', 'server/guards', 'server/endpoint'],
  'server/acp': [...hub, 'server/http', 'server/guards', 'server/endpoint'],
  client: [...words, 'dialects/endpoint/events', 'client/transport'],
  'client/transport': [...words],
  'cli/argv': [...words],
  'cli/view': [...words, 'client'],
  'cli/find': ['util', 'client', 'discovery', 'stores', 'cli/argv', 'cli/view/io'],
  'cli/commands': [
    ...words,
    'audit',
    'auth',
    'client',
    'config',
    'discovery',
    'engine/live',
    'stores',
    'cli/argv',
    'cli/find',
    'cli/view',
    'apps/host',
    'apps/serve',
  ],
  demo: ['util'],
  discovery: [],
  // The page is a client like any other: it knows the public library, and helpers that run in a browser.
  web: ['web/ui', 'client/client', 'util/defined', 'util/text/reveal', 'util/unreachable'],
  'web/ui': ['web/words', 'web/me', 'util/defined', 'util/unreachable'],
};

/** Their folders share the rights of the parent: composition roots, and the screens of the page. */
const undivided = ['apps', 'web'];

/** Packages, with all their sub-paths, that only some rooms may know. */
const onlyIn: Record<string, readonly string[]> = {
  express: ['server'],
  '@grpc/grpc-js': ['server'],
  '@a2a-js/sdk': ['server', 'dialects'],
  // Its transports stream without cursors or backpressure, and have no place for the caller: ARCHITECTURE.md, walk 5.
  '@a2a-js/sdk/server/express': [],
  '@agentclientprotocol/sdk': ['server/acp', 'dialects', 'engine/acp'],
  ws: ['server', 'client'],
  '@opentelemetry': ['server/observe'],
  'prom-client': ['server/observe'],
  jose: ['auth', 'server/a2a/push'],
  // What is parsed at a door: requests, stored rows, settings, the messages of an agent, replies of a server. The client library stays free of it.
  zod: [
    'audit',
    'auth',
    'cli/commands',
    'cli/find',
    'cluster',
    'dialects',
    'discovery',
    'engine/acp',
    'engine/headless',
    'engine/live/drawn',
    'server',
    'session/summary.ts',
    'stores',
  ],
  dotenv: ['engine/headless/settings'],
  'smol-toml': ['cli/argv/config-file.ts', 'engine/headless/commands'],
  pino: ['apps'],
  libsql: ['stores/sqlite'],
  // It can call anything, so only the one place that needs it may.
  koffi: ['server/door/connection-lookup.ts'],
  pg: ['stores/postgres', 'cluster/bus/postgres-listener.ts'],
  '@nats-io/transport-node': ['cluster/bus/nats-bus.ts'],
  aws4fetch: ['stores/bucket'],
  'google-auth-library': ['stores/bucket'],
  '@google/gemini-cli-core': ['engine'],
  preact: ['web'],
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

test('every import follows the rule', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => brokenImports(file, sourceOf(file)))).toEqual([]);
});

test('every folder has a rule of its own, to depth two', () => {
  const folders = files.map((file) => dirname(file).split('/').slice(0, 2)).filter(([top]) => top !== '.');
  const unruled = folders.filter(([top = '']) => !undivided.includes(top)).map((path) => path.join('/'));
  // `cli` itself has only the files that put its folders together.
  expect([...new Set(unruled)].filter((room) => room !== 'cli' && !Object.hasOwn(may, room))).toEqual([]);
  expect(Object.keys(may).filter((room) => !files.some((file) => file.startsWith(`${room}/`)))).toEqual([]);
});

test('each rule finds what breaks it', () => {
  const unbroken = Object.keys(may).filter(
    (room) => brokenImports(`${room}/x.ts`, "import '#apps/live/app.js';").length === 0,
  );
  expect(unbroken).toEqual([]);
  const children = Object.keys(may).filter((room) => room.includes('/'));
  const parents = children.filter((room) => {
    const parent = room.split('/')[0] ?? '';
    return brokenImports(`${room}/x.ts`, `import '#${parent}/open.js';`).length === 0;
  });
  expect(parents).toEqual([]);
  const packages = Object.keys(onlyIn).filter(
    (name) => brokenImports('domain/x.ts', `import '${name}/deep';`).length === 0,
  );
  expect(packages).toEqual([]);
});

test('no two exported things have one name, the page included', () => {
  const declared = files.flatMap(exportsOf);
  const twice = declared.filter(({ name, file }) =>
    declared.some((other) => other.name === name && other.file !== file),
  );
  expect(twice.map(({ name, file }) => `${name} in src/${file}`)).toEqual([]);
});

test('only the configuration reads the environment, and nothing but our own commands prints', () => {
  const reads = /process\.(env|cwd\(\)|argv)/;
  const composers = /^(main\.ts|boot\/|apps\/|config\/|engine\/pool\/)/;
  expect(files.filter((file) => !composers.test(file) && reads.test(sourceOf(file)))).toEqual([]);
  expect(files.filter((file) => file !== 'main.ts' && /process\.(stdout|stderr)\.write/.test(sourceOf(file)))).toEqual(
    [],
  );
});

function sourceOf(file: string): string {
  return readFileSync(join('src', file), 'utf8');
}

/** What a file declares and exports. `export { … } from` names the same thing again. */
function exportsOf(file: string): { name: string; file: string }[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm;
  return [...sourceOf(file).matchAll(declared)].map(([, name = '']) => ({ name, file }));
}

/** `#` stands for src, in the examples above. */
function brokenImports(file: string, source: string): string[] {
  const names = [...source.matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return names
    .filter((name) => (/^[.#]/.test(name) ? !mayImport(file, name) : !mayUse(file, name)))
    .map((name) => `src/${file} imports ${name}`);
}

function mayUse(file: string, name: string): boolean {
  const rules = Object.entries(onlyIn).filter(([known]) => isIn(name, known));
  return rules.every(([, rooms]) => rooms.some((room) => isIn(file, room)));
}

function mayImport(file: string, name: string): boolean {
  const room = roomOf(file);
  if (room === undefined) return true;
  const target = (name.startsWith('#') ? name.slice(1) : normalize(join(dirname(file), name))).replace(/\.js$/, '');
  return roomOf(target) === room || (may[room] ?? []).some((entry) => isIn(target, entry.replace(/\/\*$/, '')));
}

/** The innermost one. */
function roomOf(path: string): string | undefined {
  return Object.keys(may)
    .filter((room) => path.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

test('no test has a limit of its own, which a slow machine could reach', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const ownLimit = /\{ timeout: [\d_]+ \}, async|^\s*\{ timeout: [\d_]+ \},$|\}, \d{2,}_000\);/m;
  const limited = tests.filter((file) => ownLimit.test(readFileSync(join('test', file), 'utf8')));
  expect(limited).toEqual([]);
});
