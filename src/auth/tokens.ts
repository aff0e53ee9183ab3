import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '../domain/errors.js';
import type { Authenticator, Credentials } from './authenticator.js';
import { type Principal, type Scope, scopes } from './principal.js';
import { defined } from '../util/defined.js';
import { RecentMap } from '../util/recent-map.js';
import type { TokenPlace } from './token-place.js';

const deviceSchema = z.object({
  /** As its user named it. */
  label: z.string(),
  /** The endpoint it was paired with. Its credentials mean nothing to any other. */
  endpoint: z.string(),
  taskId: z.string().optional(),
  /** Distinguishes the task from a later one with the same id. */
  taskCreatedAt: z.string().optional(),
  sharedBy: z.string(),
  /** The principal whose tasks and quota it uses: the first in the chain of those who shared. */
  account: z.string().optional(),
  /** The group of browsers that share its limits. Absent if it is the first of them. */
  group: z.string().optional(),
});

const recordSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(scopes)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  /** Only of a paired browser. */
  device: deviceSchema.optional(),
});

export type TokenRecord = z.infer<typeof recordSchema>;
export type DeviceRecord = z.infer<typeof deviceSchema>;

/** A token as `cosession token list` shows it. The token itself is not stored. */
export type TokenInfo = {
  readonly name: string;
  readonly kind: 'token' | 'device';
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
  readonly device?: DeviceRecord;
};

export type NewToken = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  readonly device?: DeviceRecord;
};

/** `lastUsedAt` is written at most this often per token. */
const usedEveryMs = 60_000;
/** The number of tokens whose last use is remembered: devices come and go. */
const maxUsed = 1000;

/** Of principals with a token. */
const prefix = 'token:';
const namePattern = /^[a-z0-9][a-z0-9.-]{0,39}$/;
/**
 * The name selects the file and tells people which token they have. It has no underscore, so the pattern is unambiguous.
 * A device has a second secret behind a dot.
 */
const tokenPattern = /^cos_([a-z0-9][a-z0-9.-]{0,39})_[\w-]{43}(\.[\w-]{43})?$/;

/**
 * Our own tokens. Any number of commands and servers can work at once without a lock. Nothing is cached in memory: a running
 * server refuses a revoked token from the next request on.
 */
export class Tokens implements Authenticator {
  readonly scheme = { type: 'bearer', description: 'a token made by `cosession token create`' } as const;
  readonly #place: TokenPlace;
  readonly #usedAt = new RecentMap<string, number>(maxUsed);

  constructor(place: TokenPlace) {
    this.#place = place;
  }

  /** Returns the full token, which is never shown again. That of a device has two halves, joined by a dot. */
  async create({ name, scopes: given, expiresAt, device }: NewToken): Promise<string> {
    const first = `cos_${checkName(name)}_${secret()}`;
    const token = device ? `${first}.${secret()}` : first;
    const record: TokenRecord = {
      hash: digest(token).toString('hex'),
      scopes: [...given],
      createdAt: new Date().toISOString(),
      ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
      ...defined({ device }),
    };
    if (!(await this.#place.create(name, JSON.stringify(record, null, 2), new Date(record.createdAt))))
      throw new Error(`a token named "${name}" already exists; revoke it first or choose another name`);
    return token;
  }

  /** Sorted by name. `damaged` lists unreadable tokens: they grant no access and can be revoked. */
  async list(): Promise<{ tokens: TokenInfo[]; damaged: string[] }> {
    const tokens: TokenInfo[] = [];
    const damaged: string[] = [];
    for (const name of await this.#names()) {
      try {
        const record = await this.#read(name);
        if (record) tokens.push(await this.#infoOf(name, record));
      } catch {
        damaged.push(name);
      }
    }
    return { tokens, damaged };
  }

  /** Also revokes the devices that it shared. False if there is no token of this name. */
  async revoke(name: string): Promise<boolean> {
    if (!(await this.#place.remove(checkName(name)))) return false;
    for (const { name: shared, device } of (await this.list()).tokens)
      if (device?.sharedBy === principalId(name)) await this.revoke(shared);
    return true;
  }

  async authenticate({ token }: Credentials): Promise<Principal | undefined> {
    if (token === undefined) return undefined;
    const found = await this.find(token);
    // Its halves are accepted only as a cookie and a page key: `devices.ts`.
    if (found?.record.device) throw new AppError('bad-token', 'the token is not known here, or was revoked');
    return found && toPrincipal(found);
  }

  /** The valid token that somebody presents. Undefined if it is not one of ours. Throws `bad-token` if it is not valid. */
  async find(token: string): Promise<FoundToken | undefined> {
    const name = tokenPattern.exec(token)?.[1];
    if (name === undefined) return undefined;
    const record = await this.#read(name);
    if (!record || !timingSafeEqual(digest(token), Buffer.from(record.hash, 'hex')))
      throw new AppError('bad-token', 'the token is not known here, or was revoked');
    if (record.expiresAt !== undefined && Date.parse(record.expiresAt) <= Date.now())
      throw new AppError('bad-token', `the token "${name}" expired at ${record.expiresAt}`);
    await this.#markUsed(name, record);
    return { name, record };
  }

  /** The browser that a principal is. Undefined if it is none, or its pairing has ended. */
  async deviceOf(principal: string): Promise<DeviceRecord | undefined> {
    const name = principal.startsWith(prefix) ? principal.slice(prefix.length) : '';
    return namePattern.test(name) ? (await this.#read(name))?.device : undefined;
  }

  async #names(): Promise<string[]> {
    return (await this.#place.names()).filter((name) => namePattern.test(name)).toSorted();
  }

  /** Undefined if there is no such token. */
  async #read(name: string): Promise<TokenRecord | undefined> {
    const text = await this.#place.read(name);
    if (text === undefined) return undefined;
    try {
      return recordSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw new AppError('bad-token', `the record of the token "${name}" is damaged; revoke it and make a new one`, {
        cause,
      });
    }
  }

  async #infoOf(name: string, { scopes: given, createdAt, expiresAt, device }: TokenRecord): Promise<TokenInfo> {
    const usedAt = await this.#place.usedAt(name);
    return {
      name,
      kind: device ? 'device' : 'token',
      scopes: given,
      createdAt,
      ...defined({ expiresAt, device }),
      ...(usedAt && usedAt.getTime() > Date.parse(createdAt) ? { lastUsedAt: usedAt.toISOString() } : {}),
    };
  }

  async #markUsed(name: string, { createdAt }: TokenRecord): Promise<void> {
    const now = Date.now();
    if (now - (this.#usedAt.get(name) ?? 0) < usedEveryMs) return;
    this.#usedAt.set(name, now);
    // Later than the creation even if the token is used within the same millisecond.
    const at = new Date(Math.max(now, Date.parse(createdAt) + 1));
    await this.#place.markUsed(name, at).catch(() => {});
  }
}

export type FoundToken = { readonly name: string; readonly record: TokenRecord };

export function toPrincipal({ name, record: { scopes: given, expiresAt } }: FoundToken): Principal {
  return { id: principalId(name), scopes: given, via: 'token', ...defined({ expiresAt }) };
}

function principalId(name: string): string {
  return `${prefix}${name}`;
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function checkName(name: string): string {
  if (namePattern.test(name)) return name;
  throw new Error(`a token name may have up to 40 characters: a-z, 0-9, "." and "-", got "${name}"`);
}

/**
 * A fast hash is right here: slow hashes make guessing short passwords expensive, but nobody can guess 256 random bits.
 */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
