import { expect, test } from 'vitest';
import { closest } from '../../src/util/text/closest.js';

test.each([
  ['memoy', ['memory', 'model'], 'memory'],
  ['MODEL', ['memory', 'model'], 'model'],
  ['tols', ['tools', 'tolls'], 'tools'],
  ['hlep', ['help'], 'help'],
  ['sedn', ['send', 'serve'], 'send'],
  ['apc', ['token', 'acp'], 'acp'],
  ['list', ['ls'], undefined],
  ['restroe', ['restore'], 'restore'],
  ['x', ['mcp'], undefined],
  ['', ['mcp'], undefined],
  ['anything', [], undefined],
])('closest to %j in %j is %j', (word, candidates, expected) => {
  expect(closest(word, candidates)).toBe(expected);
});
