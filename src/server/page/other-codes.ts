import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { roles } from '../../auth/roles.js';
import { AppError } from '../../domain/errors.js';
import type { Peers } from '../../domain/peers.js';
import { Repeats } from '../../util/repeats.js';
import type { Paired } from './pairing.js';

const op = 'pair';
const asked = z.object({ id: z.string(), code: z.string(), label: z.string() });
const paired = z.object({ label: z.string(), role: z.enum(roles), expiresAt: z.coerce.date(), halves: z.string() });
/** More browsers than can be paired while a reply is on its way. */
const maxRepeats = 100;

/** Pairs a browser that brought one of our codes to another server. Undefined if the code is not ours. */
export function servePairing(peers: Peers, redeem: (code: string, label: string) => Promise<Paired> | undefined): void {
  const repeats = new Repeats<Paired | undefined>(maxRepeats);
  peers.onAsked(op, (about) => {
    const { id, code, label } = asked.parse(about);
    return repeats.run(id, async () => redeem(code, label));
  });
}

/** A code is in the memory of the server that made it. That server is not known, so all are asked, and it pairs. */
export async function pairElsewhere(peers: Peers, code: string, label: string): Promise<Paired | undefined> {
  const answers = await peers.askAll(op, { id: randomUUID(), code, label });
  const found = answers.find((answer) => answer.is === 'done' && answer.value !== null);
  if (found?.is === 'done') return paired.parse(found.value);
  if (answers.some(({ is }) => is === 'silent'))
    throw new AppError('not-ready', 'a server that may have made this code does not answer; try again');
  return undefined;
}
