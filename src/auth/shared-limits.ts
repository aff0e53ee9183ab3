import * as z from 'zod';
import type { Peers } from '../domain/peers.js';
import { RecentMap } from '../util/recent-map.js';
import { type Rate, RateLimiter } from './rate-limiter.js';

export type LimiterOptions = {
  /** The same on all servers. */
  readonly name: string;
  readonly rate: Rate;
  /** Report every use to the other servers immediately. */
  readonly isUrgent?: boolean;
  readonly now?: () => number;
};

export type MakeLimiter = (options: LimiterOptions) => RateLimiter;

export const ownLimiter: MakeLimiter = ({ rate, now }) => new RateLimiter(rate, now);

/** How often use is reported to the other servers. */
const tellEveryMs = 100;
/** A key that has used less than this fraction of its burst is not reported. */
const worthTelling = 0.1;
/** The number of keys whose use is added up until it is reported. Any others count on this server only. */
const maxKeys = 10_000;
/** In one message. */
const maxTold = 1000;

const topic = 'used';
const toldUse = z.array(z.tuple([z.string(), z.string(), z.number()])).max(maxTold);

/**
 * Limiters that count for all servers of a cluster. No request waits for another server: each server has its own buckets,
 * soon reports to the others what was used, and subtracts what they report. Together they may exceed a limit by what they
 * allow in the meantime. If messages are lost, the limit applies per server.
 */
export function sharedLimiters(peers: Pick<Peers, 'tell' | 'onTold'>): MakeLimiter {
  const limiters = new Map<string, RateLimiter>();
  const unsaid = new RecentMap<string, number>(maxKeys);
  let due = new Map<string, [name: string, key: string, count: number]>();
  let telling: NodeJS.Timeout | undefined;

  function tell(): void {
    telling = undefined;
    const all = [...due.values()];
    due = new Map();
    for (let from = 0; from < all.length; from += maxTold) peers.tell(topic, all.slice(from, from + maxTold));
  }

  peers.onTold(topic, (about) => {
    for (const [name, key, count] of toldUse.parse(about)) limiters.get(name)?.useElsewhere(key, count);
  });

  return ({ name, rate, isUrgent = false, now }) => {
    const enough = Math.max(1, rate.burst * worthTelling);
    const onUsed = (key: string, count: 1 | -1): void => {
      if (isUrgent) return peers.tell(topic, [[name, key, count]]);
      const id = JSON.stringify([name, key]);
      const waiting = due.get(id);
      const used = (waiting?.[2] ?? unsaid.get(id) ?? 0) + count;
      unsaid.delete(id);
      if (waiting || (used >= enough && due.size < maxKeys)) due.set(id, [name, key, used]);
      else unsaid.set(id, used);
      if (due.size > 0) telling ??= setTimeout(tell, tellEveryMs).unref();
    };
    const limiter = new RateLimiter(rate, now, onUsed);
    limiters.set(name, limiter);
    return limiter;
  };
}
