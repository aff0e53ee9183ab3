import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run as lint } from 'dockerfilelint';
import { expect, test } from 'vitest';
import { variableOf } from '../src/cli/argv/parse.js';
import { serveFlags } from '../src/cli/argv/serve-flags.js';
import { ensureDebian } from './support/debian.js';
import { installed, runScript } from './support/foreign-client.js';
import { serveTasks } from './support/served-tasks.js';
import { temporaryFolder } from './support/temporary-folder.js';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const unit = readFileSync('deploy/cosession.service', 'utf8');
const known = new Set<string>(Object.values(serveFlags).map((flag) => variableOf(flag, 'COSESSION_') ?? ''));

test('[003-10.3] the Dockerfile has no lint, ends as a user without rights, and copies what is there', () => {
  // The linter does not know this option.
  expect(lint('.', dockerfile.replace('--start-period=30s ', ''))).toEqual([]);
  expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER node']);
  // The lock file has the binaries of the platforms that our registry has, and `npm ci` wants those of all.
  expect(dockerfile).not.toMatch(/^RUN .*npm ci /m);
  const lines = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  const copied = [...new Set(lines.flatMap(([, files = '']) => files.split(' ')))];
  expect(copied.filter((file) => !existsSync(file))).toEqual([]);
  const sent = readFileSync('.dockerignore', 'utf8').match(/^!.+$/gm) ?? [];
  expect(sent.map((line) => line.slice(1)).toSorted()).toEqual(copied.toSorted());
});

test('[003-11.1] every dependency is pinned to one version', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  expect(versions.filter(([, version]) => !/^(npm:\S+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('its health check tells a server that lives from one that does not', async () => {
  const [, command = '[]'] = /^HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const check = (port: number): Promise<number> =>
    new Promise((resolve) => {
      const env = { ...process.env, CODER_AGENT_PORT: String(port) };
      execFile(process.execPath, args, { env }, (error) => resolve(Number(error?.code ?? 0)));
    });
  const served = await serveTasks();
  expect(await check(served.server.port)).toBe(0);
  await served.stop();
  expect(await check(served.server.port)).toBe(1);
});

test('[003-10.2] Dockerfile and unit set variables that the server knows', () => {
  const set = [...`${dockerfile}\n${unit}`.matchAll(/(?:^ENV |^ {4}|^Environment=)([A-Z_]+)=/gm)].map(
    ([, name = '']) => name,
  );
  expect(set).toContain('CODER_AGENT_PORT');
  expect(set.filter((name) => !known.has(name) && !['COSESSION_STATE_DIR', 'NODE_ENV'].includes(name))).toEqual([]);
});

test('the image can make backups, and its health check waits for the start', () => {
  expect(dockerfile).toContain('/usr/local/bin/cosession');
  expect(dockerfile).toMatch(/^HEALTHCHECK .*--start-period=/m);
  const images = [...dockerfile.matchAll(/^FROM node:(\S+)/gm)].map(([, version]) => version);
  expect(new Set(images).size).toBe(1);
  expect(images[0]).toMatch(/^24\./);
});

const composeFiles = ['deploy/compose.yaml', 'deploy/cluster/compose.yaml'];

test.each([
  ['deploy/compose.yaml', 'COSESSION_STORE', 1],
  ['deploy/cluster/compose.yaml', 'COSESSION_CLUSTER', 3],
])('%s sets variables that the server knows, and keeps what must be kept', (file, wanted, servers) => {
  const compose = readFileSync(file, 'utf8');
  const set = [...compose.matchAll(/^ {4,6}(COSESSION_\w+|CODER_\w+):/gm)].map(([, name = '']) => name);
  expect(set).toContain(wanted);
  expect(set.filter((name) => !known.has(name))).toEqual([]);
  const [, kept = '[]'] = /^VOLUME (.*)$/m.exec(dockerfile) ?? [];
  const mounted = [...compose.matchAll(/^ {6}- [\w-]+:(\/state|\/workspace)$/gm)].map(([, path]) => path);
  expect(mounted).toEqual(Array.from({ length: servers }, () => JSON.parse(kept) as string[]).flat());
  const [, grace = 0] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
  expect(Number(grace)).toBeGreaterThan(serveFlags.drainMs.default);
});

test('the servers of the cluster are those that its balancer knows, and NATS allows what docs/cluster.md lists', () => {
  const compose = readFileSync('deploy/cluster/compose.yaml', 'utf8');
  const servers = [...compose.matchAll(/^ {2}(server-\d):$/gm)].map(([, name]) => `${name}:41242`);
  const balanced = [...readFileSync('deploy/cluster/nginx.conf', 'utf8').matchAll(/^ {2}server (\S+) /gm)];
  expect(balanced.map(([, place]) => place)).toEqual(servers);
  expect(servers).toHaveLength(3);
  const rows = readFileSync('docs/cluster.md', 'utf8').match(/^\| `[^|]+\| yes +\| yes +\|$/gm) ?? [];
  const documented = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, subject = '']) => subject));
  const lists = readFileSync('deploy/cluster/nats.conf', 'utf8').match(/(?<=(publish|subscribe): )\[.*\]/g) ?? [];
  expect(lists.map((list) => JSON.parse(list) as unknown)).toEqual([documented, documented]);
});

/** Others know what a compose file and what Kubernetes takes. */
const linters = [
  'dclint@3.1.0',
  'kubernetes-models@5.1.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
  'yaml@2.9.1',
];

test('the compose files have no lint, and every object of the manifest is one that Kubernetes takes', async () => {
  const folder = await installed(linters);
  const program = join(folder, 'node_modules/.bin/dclint');
  const { status, stdout } = spawnSync(program, ['--quiet', ...composeFiles], { encoding: 'utf8' });
  expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: '' });
  const script = `
    import { readFileSync } from 'node:fs';
    import { parseAllDocuments } from 'yaml';
    const found = [];
    for (const document of parseAllDocuments(readFileSync(process.argv[1], 'utf8'))) {
      const { apiVersion, kind, ...rest } = document.toJS();
      const models = apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
      const { [kind]: Model } = await import(models + '/' + apiVersion);
      new Model(rest).validate();
      found.push([kind, rest.spec.replicas ?? null]);
    }
    console.log(JSON.stringify(found));`;
  expect(await runScript(folder, script, resolve('deploy/kubernetes.yaml'))).toEqual([
    ['Deployment', 3],
    ['PersistentVolumeClaim', null],
    ['Service', null],
    ['PodDisruptionBudget', null],
    ['ServiceMonitor', null],
  ]);
});

test('the Kubernetes manifest sets variables that the server knows, has probes, and leaves it time to drain', () => {
  const manifest = readFileSync('deploy/kubernetes.yaml', 'utf8');
  const set = [...manifest.matchAll(/^ +- name: ((?:COSESSION|CODER)_\w+)$/gm)].map(([, name = '']) => name);
  for (const wanted of ['COSESSION_CLUSTER', 'COSESSION_STORE', 'COSESSION_SEAL_KEY']) expect(set).toContain(wanted);
  expect(set.filter((name) => !known.has(name))).toEqual([]);
  const [, grace = 0] = /terminationGracePeriodSeconds: (\d+)/.exec(manifest) ?? [];
  const [, pause = 0] = /\[sleep, '(\d+)'\]/.exec(manifest) ?? [];
  expect(Number(grace)).toBeGreaterThan(Number(pause) + serveFlags.drainMs.default);
  expect(manifest.match(/(startup|liveness|readiness)Probe:/g)).toHaveLength(3);
});

test('systemd finds nothing wrong with the unit', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'cosession.service');
  // The user of the unit exists only where it is installed.
  writeFileSync(file, unit.replace(/^(User|Group)=cosession$/gm, '$1=root'));
  const program = '/usr/bin/systemd-analyze';
  ensureDebian({ [program]: 'systemd' });
  const { status, stderr } = spawnSync(program, ['verify', file], { encoding: 'utf8' });
  const complaints = stderr.split('\n').filter((line) => line.includes('cosession'));
  expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
});
