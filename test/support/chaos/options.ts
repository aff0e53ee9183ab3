import { parseArgs } from 'node:util';
import { stores } from './stores/open.js';

export type ChaosOptions = {
  readonly store: string;
  /** Three servers at once, on this bus, of which one is hurt at a time. */
  readonly cluster?: 'nats' | 'postgres';
  readonly kills: number;
  readonly seed: number;
};

export const help = `Kills \`cosession serve\` in the middle of its work, takes its store away, and checks that nothing
acknowledged is lost, nothing runs twice and no client receives anything untrue.

Usage
  npm run chaos -- [flags]

Flags
  --store <name>   ${Object.keys(stores).join(' or ')} (default sqlite)
  --cluster        three servers that work as one, on PostgreSQL and NATS: one of them is killed, paused,
                   stopped, or cut off from the store, the bus or both at a time, or NATS is
  --bus <name>     with --cluster: nats or postgres (default nats)
  --kills <n>      how often the server is killed (default 200)
  --seed <n>       the random seed (default: from the clock); a failure prints the seed of its round
  --help           this text

Exit codes
  0  every promise was kept
  1  a promise was broken
  2  a flag is wrong
`;

/** Undefined: help is wanted. Throws when the flags are wrong. */
export function readOptions(argv: readonly string[]): ChaosOptions | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      store: { type: 'string', default: 'sqlite' },
      cluster: { type: 'boolean', default: false },
      bus: { type: 'string', default: 'nats' },
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  if (!Object.hasOwn(stores, values.store))
    throw new Error(`--store must be one of ${Object.keys(stores).join(', ')}, got "${values.store}"`);
  const numbers = { kills: count('kills', values.kills), seed: count('seed', values.seed) };
  if (!values.cluster) return { store: values.store, ...numbers };
  if (values.bus !== 'nats' && values.bus !== 'postgres')
    throw new Error(`--bus must be nats or postgres, got "${values.bus}"`);
  return { store: 'postgres', cluster: values.bus, ...numbers };
}

function count(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, got "${text}"`);
}
