import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom inside src. `main.ts`, `app.ts` and `live/` put everything together and may import all. */
const may: Record<string, string[]> = {
  domain: [],
  util: [],
  config: ['util'],
  auth: ['domain', 'util'],
  engine: ['domain', 'util'],
  stores: ['domain', 'util'],
  session: ['domain', 'util', 'engine/engine', 'stores/store'],
  protocols: ['domain', 'util'],
  server: ['domain', 'util', 'auth', 'session', 'protocols'],
  client: ['domain', 'util', 'protocols/endpoint/events'],
  commands: ['domain', 'util', 'auth', 'client', 'discovery', 'config/flags'],
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
  const composers = /^(main\.ts|app\.ts|live\/|serve\/|config\/)/;
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
  const allowed = may[folder];
  const names = [...sourceOf(file).matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return names
    .filter((name) => {
      if (!name.startsWith('.')) return onlyIn[name]?.includes(folder) === false;
      return allowed !== undefined && !isAllowed(file, name, [folder, ...allowed]);
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
