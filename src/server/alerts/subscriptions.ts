import { createHash } from 'node:crypto';
import * as z from 'zod';
import { groupOf, type Principal, scopes } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { AlertPlace } from './alert-place.js';

/** What a browser's `PushSubscription` says about itself. */
export const subscriptionSchema = z.object({
  endpoint: z.url().max(2000),
  keys: z.object({ p256dh: z.string().max(200), auth: z.string().max(100) }),
});

const principalSchema = z.looseObject({
  id: z.string(),
  scopes: z.array(z.enum(scopes)),
  via: z.enum(['owner', 'token', 'oidc', 'certificate']),
});

const recordSchema = z.object({
  ...subscriptionSchema.shape,
  /** The address of the page. A service worker belongs to one. */
  page: z.string(),
  principal: principalSchema,
  /** The group of callers that share its limits. */
  group: z.string().optional(),
  renewedAt: z.iso.datetime(),
});

export type Subscription = z.infer<typeof recordSchema>;

/** Of one page. */
const maxSubscriptions = 100;
const maxOfGroup = 10;
/** The page renews its subscription whenever it is opened. */
const forgottenAfterMs = 90 * 24 * 3600 * 1000;

/** The browsers that want alerts. Nothing is cached in memory: several servers may use the place. */
export class Subscriptions {
  readonly #place: AlertPlace;
  readonly #page: string;

  /** `page`: which of the pages that share this place. */
  constructor(place: AlertPlace, page: string) {
    this.#place = place;
    this.#page = page;
  }

  /** Those of this page, longest unused first. */
  async list(): Promise<Subscription[]> {
    const names = await this.#place.names();
    const read = await Promise.all(names.filter((name) => name.endsWith('.sub')).map((name) => this.#read(name)));
    return read
      .filter((found) => found !== undefined)
      .filter(({ page }) => page === this.#page)
      .toSorted((a, b) => a.renewedAt.localeCompare(b.renewedAt));
  }

  /** The oldest one of a caller that has too many is forgotten. */
  async add(given: z.infer<typeof subscriptionSchema>, principal: Principal): Promise<void> {
    const { id, scopes: may, via, ...rest } = principal;
    const group = groupOf(principal);
    if (via === 'nothing') throw new AppError('token-required', 'alerts need credentials: this caller has none');
    const others = (await this.list()).filter(({ endpoint }) => endpoint !== given.endpoint);
    const own = others.filter((other) => other.group === group);
    if (own.length >= maxOfGroup) await this.#remove(own[0]);
    else if (others.length >= maxSubscriptions)
      throw new AppError('too-many-clients', `${maxSubscriptions} browsers get alerts already`);
    const record: Subscription = {
      ...given,
      page: this.#page,
      principal: { ...rest, id, scopes: [...may], via },
      group,
      renewedAt: new Date().toISOString(),
    };
    await this.#place.put(this.#nameOf(given.endpoint), JSON.stringify(record));
  }

  async remove(endpoint: string): Promise<void> {
    await this.#place.remove(this.#nameOf(endpoint));
  }

  async #remove(subscription: Subscription | undefined): Promise<void> {
    if (subscription) await this.remove(subscription.endpoint);
  }

  /** Undefined if it is damaged, or was not renewed for so long that its browser has forgotten it too. */
  async #read(name: string): Promise<Subscription | undefined> {
    try {
      const record = recordSchema.parse(JSON.parse((await this.#place.read(name)) ?? ''));
      if (Date.now() - Date.parse(record.renewedAt) < forgottenAfterMs) return record;
    } catch {
      // Removed like an old one.
    }
    await this.#place.remove(name);
    return undefined;
  }

  /** Two pages of one browser have different endpoints, so the address is enough of a name. */
  #nameOf(endpoint: string): string {
    return `${createHash('sha256').update(`${this.#page} ${endpoint}`).digest('hex')}.sub`;
  }
}
