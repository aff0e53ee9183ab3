import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Who may import whom inside src. `main.ts`, `cli/run.ts`, `cli/run-command.ts`, `live/`, `serve/` and `host/` put everything
 * together and may import all. A folder inside `cli/` knows its brothers that are named, and never `cli/` itself.
 */
const may: Record<string, string[]> = {
  domain: [],
  util: [],
  config: ['util', 'cli/argv/live-flags'],
  auth: ['domain', 'util'],
  engine: ['domain', 'util'],
  stores: ['domain', 'util'],
  session: ['domain', 'util', 'engine/engine', 'stores/store'],
  protocols: ['domain', 'util'],
  server: ['domain', 'util', 'auth', 'session', 'protocols'],
  client: ['domain', 'util', 'protocols/endpoint/events'],
  'cli/argv': ['util'],
  'cli/view': ['domain', 'util', 'client'],
  'cli/find': ['util', 'client', 'discovery', 'cli/view/io'],
  'cli/commands': 'cli/argv cli/find cli/view auth client config discovery domain engine/live host serve util'.split(
    ' ',
  ),
  demo: ['util'],
  discovery: [],
};

/** Packages that only some folders may know. */
const onlyIn: Record<string, string[]> = {
  express: ['server'],
  '@grpc/grpc-js': ['server'],
  '@a2a-js/sdk': ['server', 'protocols'],
  // Its transports stream without cursors or backpressure, and have no place for the caller: ARCHITECTURE.md, walk 4.
  '@a2a-js/sdk/server/express': [],
  '@agentclientprotocol/sdk': ['server', 'protocols', 'engine'],
  ws: ['server', 'client'],
  '@opentelemetry/api': ['server'],
  '@opentelemetry/sdk-trace-base': ['server'],
  pino: ['live', 'serve'],
  libsql: ['stores'],
  pg: ['stores'],
  aws4fetch: ['stores'],
  'google-auth-library': ['stores'],
  'libsql/promise': ['stores'],
  '@google/gemini-cli-core': ['engine'],
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test('every import follows the rule', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(brokenImports)).toEqual([]);
});

test('only the configuration reads the environment, and nothing but our own commands prints', () => {
  const reads = /process\.(env|cwd\(\)|argv)/;
  const composers = /^(main\.ts|live\/|serve\/|config\/)/;
  expect(files.filter((file) => !composers.test(file) && reads.test(sourceOf(file)))).toEqual([]);
  expect(files.filter((file) => file !== 'main.ts' && /process\.(stdout|stderr)\.write/.test(sourceOf(file)))).toEqual(
    [],
  );
});

function sourceOf(file: string): string {
  return readFileSync(join('src', file), 'utf8');
}

function brokenImports(file: string): string[] {
  const folder = file.split('/')[0] ?? '';
  const room = file.split('/').slice(0, 2).join('/');
  const place = Object.hasOwn(may, room) ? room : folder;
  const allowed = may[place];
  const names = [...sourceOf(file).matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return names
    .filter((name) => {
      if (!name.startsWith('.')) return onlyIn[name]?.includes(folder) === false;
      return allowed !== undefined && !isAllowed(file, name, [place, ...allowed]);
    })
    .map((name) => `src/${file} imports ${name}`);
}

function isAllowed(file: string, name: string, allowed: string[]): boolean {
  const target = normalize(join(dirname(file), name)).replace(/\.js$/, '');
  return allowed.some((entry) => target === entry || target.startsWith(`${entry}/`));
}

test('no test has a limit of its own, which a slow machine could reach', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const ownLimit = /\{ timeout: [\d_]+ \}, async|^\s*\{ timeout: [\d_]+ \},$|\}, \d{2,}_000\);/m;
  const limited = tests.filter((file) => ownLimit.test(readFileSync(join('test', file), 'utf8')));
  expect(limited).toEqual([]);
});
