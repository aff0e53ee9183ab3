import { randomInt } from 'node:crypto';
import { AppError } from '../domain/errors.js';
import { defined } from '../util/defined.js';
import { RecentMap } from '../util/recent-map.js';
import { sanitizeLine } from '../util/text/sanitize.js';
import { groupOf, type Principal, type Scope } from './principal.js';
import { toPrincipal, type TokenInfo, type Tokens } from './tokens.js';

/** What a browser gets when it is paired. */
export type Grant = {
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** The only task that it may see. */
  readonly taskId?: string;
  readonly taskCreatedAt?: string;
  /** The principal that shares. */
  readonly sharedBy: string;
  /** The principal whose tasks and quota it uses. */
  readonly account: string;
  /** The group of browsers that share its limits. Absent if it starts a new group. */
  readonly group?: string;
};

export type Device = TokenInfo & Required<Pick<TokenInfo, 'device'>>;

/** In one token folder. Expired ones do not count. */
const maxDevices = 200;
/** In one group, so a guest cannot take all places. */
const maxOfGroup = 20;
/** More than can be paired at once. */
const maxKnown = 1000;

/**
 * The browsers that are paired with one endpoint. Each is a token with two halves: a cookie, which no script can read, and a
 * page key, which browsers do not send on their own. Cookies go to every port of a host, so neither half is enough.
 */
export class Devices {
  readonly #tokens: Tokens;
  readonly #endpoint: string;
  /** Devices that were here, by principal. */
  readonly #known = new RecentMap<string, { readonly account: string; readonly group: string }>(maxKnown);
  /** Principals that are no devices. */
  readonly #others = new RecentMap<string, true>(maxKnown);
  readonly #learning = new Map<string, Promise<void>>();
  #adding: Promise<unknown> = Promise.resolve();

  /** `endpoint` names the live session, or the servers that share this folder. */
  constructor(tokens: Tokens, endpoint: string) {
    this.#tokens = tokens;
    this.#endpoint = endpoint;
  }

  /** Throws `bad-token` unless both halves belong to a device of this endpoint. */
  async authenticate(halves: string): Promise<Principal> {
    const found = await this.#tokens.find(halves);
    const device = found?.record.device;
    if (!found || device?.endpoint !== this.#endpoint)
      throw new AppError('bad-token', 'this pairing has ended; ask for a new code');
    const { label, taskId, taskCreatedAt, sharedBy, account = sharedBy, group } = device;
    const facts = { name: found.name, label, sharedBy, account, ...defined({ taskId, taskCreatedAt, group }) };
    const principal = { ...toPrincipal(found), device: facts };
    this.#known.set(principal.id, { account, group: groupOf(principal) });
    return principal;
  }

  /** Finds out whose device a principal is that was at another server only. */
  async know(principal: string): Promise<void> {
    if (this.#known.has(principal) || this.#others.has(principal)) return;
    // Whoever asks at the same time waits for the same answer, so nobody overtakes.
    const learning = this.#learning.get(principal) ?? this.#learn(principal);
    this.#learning.set(principal, learning);
    await learning.finally(() => this.#learning.delete(principal));
  }

  async #learn(principal: string): Promise<void> {
    const device = await this.#tokens.deviceOf(principal);
    if (device?.endpoint !== this.#endpoint) return void this.#others.set(principal, true);
    const { sharedBy, account = sharedBy, group = principal } = device;
    this.#known.set(principal, { account, group });
  }

  /** The principal whose quota counts: the caller itself, or, for a device that was here, whoever shared. */
  accountOf(principal: string): string {
    return this.#known.get(principal)?.account ?? principal;
  }

  /** The group that a principal takes turns with: none, or, for a device that was here, the group it is limited with. */
  groupOf(principal: string): string {
    return this.#known.get(principal)?.group ?? principal;
  }

  /** One after the other: two at once could both take the last place. */
  add(label: string, grant: Grant): Promise<{ name: string; halves: string }> {
    const adding = this.#adding.catch(() => {}).then(() => this.#add(label, grant));
    this.#adding = adding;
    return adding;
  }

  async #add(label: string, { scopes, expiresAt, ...rest }: Grant): Promise<{ name: string; halves: string }> {
    await this.checkRoom(rest.group);
    const name = nameFor(label);
    const device = { label: sanitizeLine(label, 40), endpoint: this.#endpoint, ...rest };
    return { name, halves: await this.#tokens.create({ name, scopes, expiresAt, device }) };
  }

  /** Removes expired devices. Throws if there are too many others, or too many of this group. */
  async checkRoom(group?: string): Promise<void> {
    const all = (await this.#tokens.list()).tokens.filter(({ kind }) => kind === 'device');
    const isOver = ({ expiresAt = '' }: TokenInfo): boolean => Date.parse(expiresAt) <= Date.now();
    for (const { name } of all.filter(isOver)) await this.#tokens.revoke(name);
    const left = all.filter((device) => !isOver(device));
    if (left.length >= maxDevices)
      throw new AppError('too-many-devices', `${maxDevices} devices are paired already; end one first`);
    if (group !== undefined && left.filter(({ device }) => device?.group === group).length >= maxOfGroup)
      throw new AppError('too-many-devices', `you have shared with ${maxOfGroup} devices already; end one first`);
  }

  /** Oldest first. */
  async list(): Promise<Device[]> {
    const { tokens } = await this.#tokens.list();
    return tokens
      .flatMap((info) => (info.device?.endpoint === this.#endpoint ? [{ ...info, device: info.device }] : []))
      .filter(({ expiresAt = '' }) => Date.parse(expiresAt) > Date.now())
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  /** Ends it, and the devices that it shared. False if it has ended already. */
  end(name: string): Promise<boolean> {
    return this.#tokens.revoke(name);
  }
}

const letters = 'abcdefghjkmnpqrstvwxyz23456789';

/** The label as a token name, with a few random letters: two people may have a phone. */
function nameFor(label: string): string {
  const words = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}|['’]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 30)
    .replace(/-$/, '');
  const end = Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return `${words || 'device'}-${end}`;
}
