import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../domain/errors.js';
import type { Authenticator, Credentials } from './authenticator.js';
import { type Principal, type Scope, scopes } from './principal.js';
import { defined } from '../util/defined.js';

const recordSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(scopes)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
});

type TokenRecord = z.infer<typeof recordSchema>;

/** A token as `cosession token list` shows it. The token itself is not stored. */
export type TokenInfo = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
};

export type NewToken = { readonly name: string; readonly scopes: readonly Scope[]; readonly expiresAt?: Date };

/** `lastUsedAt` is written at most this often per token. */
const usedEveryMs = 60_000;

const namePattern = /^[a-z0-9][a-z0-9.-]{0,39}$/;
/** The name selects the file and tells people which token they have. It has no underscore, so the pattern is unambiguous. */
const tokenPattern = /^cos_([a-z0-9][a-z0-9.-]{0,39})_[\w-]{43}$/;

/**
 * Our own tokens, one small file each. Creating is an exclusive link and revoking is a delete, so any number of commands
 * and servers can work at once without a lock. Nothing is cached in memory: a running server refuses a revoked token from
 * the next request on.
 */
export class TokenFolder implements Authenticator {
  readonly scheme = { type: 'bearer', description: 'a token made by `cosession token create`' } as const;
  readonly #folder: string;
  readonly #usedAt = new Map<string, number>();

  constructor(stateDir: string) {
    this.#folder = join(stateDir, 'tokens');
  }

  /** Returns the full token, which is never shown again. */
  async create({ name, scopes: given, expiresAt }: NewToken): Promise<string> {
    const token = `cos_${checkName(name)}_${randomBytes(32).toString('base64url')}`;
    const record: TokenRecord = {
      hash: digest(token).toString('hex'),
      scopes: [...given],
      createdAt: new Date().toISOString(),
      ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Written completely under a name that nobody reads, then linked to its own name unless that exists.
    const draft = join(this.#folder, `.${randomBytes(8).toString('hex')}`);
    try {
      await writeFile(draft, JSON.stringify(record, null, 2), { mode: 0o600 });
      await utimes(draft, new Date(record.createdAt), new Date(record.createdAt));
      await link(draft, this.#fileOf(name));
    } catch (cause) {
      if (!isCode(cause, 'EEXIST')) throw cause;
      throw new Error(`a token named "${name}" already exists; revoke it first or choose another name`, { cause });
    } finally {
      await rm(draft, { force: true });
    }
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

  /** False if there is no token of this name. */
  async revoke(name: string): Promise<boolean> {
    try {
      await unlink(this.#fileOf(checkName(name)));
      return true;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return false;
      throw error;
    }
  }

  async authenticate({ token }: Credentials): Promise<Principal | undefined> {
    const name = tokenPattern.exec(token ?? '')?.[1];
    if (token === undefined || name === undefined) return undefined;
    const record = await this.#read(name);
    if (!record || !timingSafeEqual(digest(token), Buffer.from(record.hash, 'hex')))
      throw new AppError('bad-token', 'the token is not known here, or was revoked');
    if (record.expiresAt !== undefined && Date.parse(record.expiresAt) <= Date.now())
      throw new AppError('bad-token', `the token "${name}" expired at ${record.expiresAt}`);
    await this.#markUsed(name, record);
    return { id: `token:${name}`, scopes: record.scopes, via: 'token' };
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    const names = files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
    return names.filter((name) => namePattern.test(name)).toSorted();
  }

  /** Undefined if there is no such token. */
  async #read(name: string): Promise<TokenRecord | undefined> {
    try {
      return recordSchema.parse(JSON.parse(await readFile(this.#fileOf(name), 'utf8')));
    } catch (cause) {
      if (isCode(cause, 'ENOENT')) return undefined;
      throw new AppError('bad-token', `the record of the token "${name}" is damaged; revoke it and make a new one`, {
        cause,
      });
    }
  }

  /** The file's modification time is the last use, or the creation if the token was never used. */
  async #infoOf(name: string, { scopes: given, createdAt, expiresAt }: TokenRecord): Promise<TokenInfo> {
    const { mtime } = await stat(this.#fileOf(name));
    return {
      name,
      scopes: given,
      createdAt,
      ...defined({ expiresAt }),
      ...(mtime.getTime() > Date.parse(createdAt) ? { lastUsedAt: mtime.toISOString() } : {}),
    };
  }

  async #markUsed(name: string, { createdAt }: TokenRecord): Promise<void> {
    const now = Date.now();
    if (now - (this.#usedAt.get(name) ?? 0) < usedEveryMs) return;
    this.#usedAt.set(name, now);
    // Later than the creation even if the token is used within the same millisecond.
    const at = new Date(Math.max(now, Date.parse(createdAt) + 1));
    // A read-only folder, such as a mounted secret, also works; it just does not record the last use.
    await utimes(this.#fileOf(name), at, at).catch(() => {});
  }

  #fileOf(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
