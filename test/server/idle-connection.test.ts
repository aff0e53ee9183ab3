import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedHub, serveHub } from '../support/served-hub.js';

let hub: ServedHub;
beforeAll(async () => {
  hub = await serveHub();
});
afterAll(() => hub.stop());

test('an idle connection outlives those of proxies, which keep theirs for 60 s', async () => {
  const { headers } = await fetch(`${hub.base}/.well-known/agent-card.json`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});
