import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClusterCounts } from '../src/cluster/cluster-counts.js';
import { errorTable } from '../src/server/http/error-table.js';
import { Metrics } from '../src/server/observe/metrics.js';
import { promtool } from './support/promtool.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { type ServedTasks, serveTasks } from './support/served-tasks.js';

const dashboard = readFileSync('deploy/grafana-dashboard.json', 'utf8');
const alerts = readFileSync('deploy/alerts.yaml', 'utf8');

let served: ServedTasks;
let metrics: string;
beforeAll(async () => {
  served = await serveTasks();
  const session = await served.tasks.open('one');
  session.submit({ kind: 'prompt', text: 'go', origin: { surface: 'a2a' } });
  const engine = await served.started('one');
  engine.report({ type: 'usage', usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } });
  engine.end();
  await served.get('nothing');
  metrics = await (await served.get('metrics')).text();
});
afterAll(() => served.stop());

test('the metrics pass the lint of Prometheus', () => {
  expect(promtool(['check', 'metrics'], metrics)).toEqual({ status: 0, output: '' });
});

test('tokens are counted by kind and model', () => {
  expect(metrics).toMatch(/^cosession_tokens_total\{kind="input",model="[^"]*"\} 10$/m);
  expect(metrics).toMatch(/^cosession_tokens_total\{kind="output",model="[^"]*"\} 5$/m);
});

test('the alert rules are valid', () => {
  expect(promtool(['check', 'rules', 'deploy/alerts.yaml'])).toMatchObject({ status: 0 });
});

/** Those that only a server of a cluster has. */
function clusterMetrics(): Promise<string> {
  const figures = { mirrors: 0, isConnected: true, counts: new ClusterCounts() };
  const counts = () => ({ running: 0, queued: 0, loaded: 0 });
  return new Metrics({ counts, connections: () => ({ clients: 0, streams: 0 }), cluster: () => figures }).text();
}

test('every metric, label and code in the dashboard and the alerts exists', async () => {
  const known = new Set(
    [...`${metrics}${await clusterMetrics()}`.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) => {
      return type === 'histogram' ? [name, `${name}_bucket`] : [name];
    }),
  );
  const used = new Set(
    [...`${dashboard}${alerts}`.matchAll(/\b(?:cosession|nodejs|process)_\w+/g)].map(([name]) => name),
  );
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  const ofCluster = [...known].filter((name) => name.startsWith('cosession_cluster_'));
  expect(ofCluster.length).toBeGreaterThan(6);
  expect(ofCluster.filter((name) => !dashboard.includes(name))).toEqual([]);
  const codes = [...`${dashboard}${alerts}`.matchAll(/code="([\w-]+)"/g)].map(([, code = '']) => code);
  expect(codes.filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
});

test('the dashboard is one that Grafana can import', () => {
  const { title, panels, templating } = JSON.parse(dashboard) as {
    title: string;
    panels: { title: string; targets: { expr: string }[] }[];
    templating: { list: { name: string }[] };
  };
  expect(title).toBe('Cosession');
  const variables = new Set(templating.list.map(({ name }) => name));
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const named = expressions.flatMap((expr) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name));
  expect(named.filter((name) => !variables.has(name))).toEqual([]);
  const rules = expressions.map((expr, index) => {
    const written = expr.replaceAll('$instance', '.*').replaceAll(/\$\w+_price/g, '1');
    return `      - record: panel_${index}\n        expr: ${JSON.stringify(written)}\n`;
  });
  const file = join(temporaryFolder(), 'rules.yaml');
  writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${rules.join('')}`);
  expect(promtool(['check', 'rules', file])).toMatchObject({ status: 0 });
});
