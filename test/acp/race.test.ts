import { afterEach, beforeEach, expect, test } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let acp: AcpClient[];
beforeEach(async () => {
  hub = await serveHub();
  const url = `${hub.base.replace('http', 'ws')}/ws`;
  acp = await Promise.all(Array.from({ length: 10 }, (_, i) => AcpClient.connect(url, { name: `acp-${i}` })));
});
afterEach(async () => {
  for (const client of acp) client.close();
  await hub.stop();
});

test('ten ACP clients, ten A2A clients and the terminal answer at once: one wins, everybody is told the same winner', async () => {
  const wires = await Promise.all(Array.from({ length: 10 }, (_, i) => hub.connect(`?client=wire-${i}`)));
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
  const winners = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const id = `call-${round}`;
    hub.engine.report({ type: 'tool', call: waitingShell(id) });
    const asked = await Promise.all(
      acp.map((client) => until(() => client.asked.find(({ request }) => request.toolCall.toolCallId === id))),
    );
    // Whoever is first in the loop has a head start, so it turns.
    const answers = [
      ...asked.map((question) => () => question.answer('proceed_once')),
      ...wires.map((wire) => () => void wire.answer(id, 'proceed_once')),
      // The terminal has no wire between, so it takes a little longer to press the key, or never does: then a client wins.
      () => void (round > 0 && setTimeout(() => hub.engine.host.tryAnswer(id, 'proceed_once'), round % 4)),
    ];
    if (round === 1) hub.engine.host.tryAnswer(id, 'proceed_once');
    for (let i = 0; i < answers.length; i++) answers[(i + round * 5) % answers.length]?.();

    const told = (client: AcpClient) =>
      client.find(
        (update) =>
          update.sessionUpdate === 'tool_call_update' && update.toolCallId === id && update.status === 'in_progress',
      );
    const updates = await Promise.all(acp.map(told));
    const resolvedBy = updates.map(({ _meta }) => winnerOf(_meta?.['cosession']));
    expect(new Set(resolvedBy).size).toBe(1);
    winners.add(resolvedBy[0] ?? '');
    const executing = await wires[0]?.find((event) => event['tool_call_id'] === id && event['status'] === 'EXECUTING');
    expect(winnerOf(executing?.['metadata'])).toBe(resolvedBy[0]);
    hub.engine.report({
      type: 'tool',
      call: { ...waitingShell(id), status: 'succeeded', output: { kind: 'text', text: 'ok' } },
    });
  }
  const byClients = hub.events.filter((event) => event.type === 'tool' && event.call.status === 'executing');
  expect(byClients).toHaveLength(20);
  expect(hub.engine.answered.length).toBeLessThanOrEqual(20);
  expect(winners.size).toBeGreaterThan(1);
});

function winnerOf(facts: unknown): string {
  const { resolvedBy } = facts as { resolvedBy: unknown };
  return JSON.stringify(resolvedBy);
}
