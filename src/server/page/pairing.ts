import type { Device, Devices, Grant } from '../../auth/devices.js';
import { PairingCodes } from '../../auth/pairing-codes.js';
import type { MakeLimiter } from '../../auth/shared-limits.js';
import { can, groupOf, groupOfGuests, type Principal } from '../../auth/principal.js';
import { type Role, roleOf, roleScopes } from '../../auth/roles.js';
import type { AuditAction, AuditLog } from '../../domain/audit.js';
import { AppError } from '../../domain/errors.js';
import type { Peers } from '../../domain/peers.js';
import { defined } from '../../util/defined.js';
import { sanitizeLine } from '../../util/text/sanitize.js';
import { addressKey } from '../door/address.js';
import type { CredentialCheck, OnRefused, Visitor } from '../guards/credential-check.js';
import { need } from '../guards/scopes.js';
import { pairElsewhere, servePairing } from './other-codes.js';

/** Who shares, with the credentials that must still be valid when the code is used. Absent for the terminal itself. */
export type Sharer = { readonly principal: Principal; readonly visitor?: Visitor };

export type ShareWish = { readonly role: Role; readonly seconds: number; readonly taskId?: string };

export type Shared = { readonly code: string; readonly codeExpiresAt: Date; readonly expiresAt: Date };

export type Paired = { readonly label: string; readonly role: Role; readonly expiresAt: Date; readonly halves: string };

export type PairingOptions = {
  readonly devices: Devices;
  readonly credentialCheck: CredentialCheck;
  /** Throws if the principal may not see the task. Returns when it was created, if it can be deleted and created again. */
  readonly checkTask: (taskId: string, principal: Principal) => Promise<string | undefined>;
  /** Called when a device has ended: closes what it has open. */
  readonly onEnded: () => void;
  readonly onPaired: (label: string, role: Role) => void;
  /** Records who gave access to whom, and who ended it. */
  readonly audit?: AuditLog;
  /** Receives why a browser was not paired. */
  readonly onRefused?: OnRefused;
  /** Other servers, whose codes work here too. */
  readonly peers?: Peers;
  /** Of a server that shares its limits with others. */
  readonly makeLimiter?: MakeLimiter;
};

type Offered = { readonly sharer: Sharer; readonly grant: Grant };

/** Gives out codes, pairs the browsers that bring them, and ends pairings. */
export class Pairing {
  readonly #options: PairingOptions;
  readonly #codes: PairingCodes<Offered>;

  constructor(options: PairingOptions) {
    this.#options = options;
    this.#codes = new PairingCodes(options.makeLimiter);
    if (options.peers) servePairing(options.peers, (code, label) => this.#redeem(code, label));
  }

  /** Nobody can share more than they have: not more scopes, not another task, and not for longer. */
  async share(sharer: Sharer, { role, seconds, taskId: named }: ShareWish): Promise<Shared> {
    const { principal } = sharer;
    const scopes = roleScopes[role];
    for (const scope of scopes) need(principal, scope);
    const taskId = named ?? principal.device?.taskId;
    const taskCreatedAt = taskId === undefined ? undefined : await this.#options.checkTask(taskId, principal);
    const group = groupOfGuests(principal);
    await this.#options.devices.checkRoom(group);
    const ownEnd = Date.parse(principal.expiresAt ?? '');
    const expiresAt = new Date(Math.min(Date.now() + seconds * 1000, Number.isNaN(ownEnd) ? Infinity : ownEnd));
    const account = principal.device?.account ?? principal.id;
    const grant = { scopes, expiresAt, sharedBy: principal.id, account, ...defined({ taskId, taskCreatedAt, group }) };
    const { code, until } = this.#codes.add({ sharer, grant }, groupOf(principal));
    return { code, codeExpiresAt: until, expiresAt };
  }

  async pair(code: string, label: string, visitor: Visitor): Promise<Paired> {
    try {
      return await this.#pair(code, label, visitor);
    } catch (error) {
      if (error instanceof AppError) this.#options.onRefused?.(error, { address: visitor.address });
      throw error;
    }
  }

  async #pair(typed: string, label: string, { isSameUser, address }: Visitor): Promise<Paired> {
    const { peers } = this.#options;
    const undo = this.#codes.countTry(isSameUser ? 'owner' : { address: addressKey(address) });
    const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
    const shown = sanitizeLine(label, 40) || 'browser';
    const here = this.#redeem(code, shown);
    if (here) undo();
    const paired = await (here ?? (peers && pairElsewhere(peers, code, shown)));
    if (!paired) throw new AppError('bad-code', 'this code is no longer valid; a code works once, for two minutes');
    if (!here) undo();
    return paired;
  }

  /** The code is used up before anything else happens, so it works for one browser only. Undefined if it is not ours. */
  #redeem(code: string, label: string): Promise<Paired> | undefined {
    const offered = this.#codes.take(code);
    return offered && this.#add(offered, label);
  }

  async #add({ sharer, grant }: Offered, label: string): Promise<Paired> {
    if (sharer.visitor) await this.#stillValid(sharer.visitor);
    const { name, halves } = await this.#options.devices.add(label, grant);
    // The sharer's credentials may have ended meanwhile, before this device existed and could end with them.
    if (sharer.visitor) await this.#stillValid(sharer.visitor, () => this.#options.devices.end(name));
    const { scopes, sharedBy } = grant;
    const expiresAt = grant.expiresAt.toISOString();
    this.#record(sharedBy, { action: 'token-create', token: name, scopes, expiresAt });
    const role = roleOf(scopes);
    this.#options.onPaired(label, role);
    return { label, role, expiresAt: grant.expiresAt, halves };
  }

  /** Those that the principal may end: `admin` all, others themselves and what they shared. */
  async devicesOf(principal: Principal): Promise<Device[]> {
    const all = await this.#options.devices.list();
    if (can(principal, 'admin')) return all;
    return all.filter(({ name, device }) => name === principal.device?.name || device.sharedBy === principal.id);
  }

  async end(name: string, principal: Principal): Promise<void> {
    const isTheirs = (await this.devicesOf(principal)).some((device) => device.name === name);
    if (!isTheirs || !(await this.#options.devices.end(name)))
      throw new AppError('not-found', `there is no device "${name}" that you may end`);
    this.#record(principal.id, { action: 'token-revoke', token: name });
    this.#options.onEnded();
  }

  #record(principal: string, action: AuditAction): void {
    this.#options.audit?.add({ at: new Date().toISOString(), by: { principal }, ...action });
  }

  async #stillValid(visitor: Visitor, undo: () => Promise<unknown> = async () => {}): Promise<void> {
    await this.#options.credentialCheck.identify(visitor).catch(async (cause: unknown) => {
      await undo();
      throw new AppError('bad-code', 'the person who shared this code may no longer share', { cause });
    });
  }
}
