import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sharedLimiters } from '../../src/auth/shared-limits.js';
import { ClusterCounts } from '../../src/cluster/cluster-counts.js';
import { ClusterPeers } from '../../src/cluster/cluster-peers.js';
import { type Announcement, readAnnouncement } from '../../src/cluster/message.js';
import { MemoryBus } from '../support/memory-bus.js';
import { fc } from '../support/properties.js';

const rate = { burst: 20, perSecond: 10 };

/** Limiters of servers on one bus, which loses what `loses` says. */
function limiters(
  count: number,
  { isUrgent = false, loses = () => false }: { isUrgent?: boolean; loses?: () => boolean } = {},
) {
  const bus = new MemoryBus();
  return Array.from({ length: count }, (_, index) => {
    const server = `server-${index}`;
    const line = bus.join(server);
    const store = { server, servers: async () => [] };
    const onError = (error: unknown): never => {
      throw error;
    };
    const peers = new ClusterPeers({ bus: line, store, counts: new ClusterCounts(), onError });
    line.onAnnouncement((text) => {
      const message: Announcement = readAnnouncement(text);
      if (message.is === 'told' && !loses()) peers.hear(message);
    });
    return sharedLimiters(peers)({ name: 'test', rate, isUrgent, now: () => Date.now() });
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a limit of three servers', () => {
  test('what one of them grants, the others have not', () => {
    const [a, b, c] = limiters(3);
    for (let request = 0; request < 15; request++) expect(a?.take('ada').isAllowed).toBe(true);
    vi.advanceTimersByTime(100);
    expect(b?.take('ada').remaining).toBe(4);
    expect(c?.take('bob').remaining).toBe(19);
  });

  test('wrong tokens count everywhere at once, and what is taken back too', () => {
    const [a, b] = limiters(2, { isUrgent: true });
    for (let request = 0; request < 20; request++) a?.take('10.0.0.1');
    expect(b?.take('10.0.0.1').isAllowed).toBe(false);
    a?.giveBack('10.0.0.1');
    expect(b?.take('10.0.0.1').isAllowed).toBe(true);
  });

  test('counts per server if nothing arrives', () => {
    const [a, b] = limiters(2, { loses: () => true });
    for (let request = 0; request < 20; request++) a?.take('ada');
    vi.advanceTimersByTime(100);
    expect(a?.take('ada').remaining).toBe(0);
    expect(b?.take('ada').remaining).toBe(19);
  });

  /** Whatever arrives, a caller gets its rate from all servers together, and never less than nothing for long. */
  test('grants the rate in the long run, however requests are spread and whatever is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 0, max: 60 })), { minLength: 300, maxLength: 300 }),
        fc.boolean(),
        (requests, losesAll) => {
          const all = limiters(3, { loses: () => losesAll });
          const from = Date.now();
          let granted = 0;
          for (const [index, waitMs] of requests) {
            vi.advanceTimersByTime(waitMs);
            if (all[index]?.take('ada').isAllowed) granted++;
          }
          const ofOne = rate.burst + ((Date.now() - from) / 1000) * rate.perSecond;
          // What may be granted before others are told: a tenth of the burst, and what comes in 100 ms, by each.
          const slack = 3 * (rate.burst * 0.1 + rate.perSecond * 0.1 + 1) + rate.burst;
          expect(granted).toBeLessThanOrEqual(losesAll ? 3 * ofOne + 3 : ofOne + slack);
          // Nobody owes more than a burst, so it is over soon.
          vi.advanceTimersByTime(((2 * rate.burst) / rate.perSecond) * 1000 + 200);
          for (const limiter of all) expect(limiter.take('ada').isAllowed).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });
});
