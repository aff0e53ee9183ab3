import { AppError } from '../domain/errors.js';
import type { Origin, SessionEvent } from '../domain/events.js';
import type { Session } from '../session/session.js';
import { NewPrompts } from '../session/new-prompts.js';
import type { Store, StoredUsage } from '../stores/store.js';
import { RecentMap } from '../util/recent-map.js';

export type QuotaOptions = {
  readonly store: Pick<Store, 'server' | 'saveUsage' | 'usage'>;
  /** Per principal and UTC day. Undefined: no limit. */
  readonly turns: number | undefined;
  readonly tokens: number | undefined;
  /** Whose quota a principal uses. By default its own. */
  readonly accountOf?: (principal: string) => string;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

export type Used = { readonly turns: number; readonly tokens: number };

/** How often what other servers have counted is read. */
const refreshMs = 10_000;
/** The least recently counted principals beyond this many start again at nothing. */
const maxPrincipals = 10_000;
const unused: Used = { turns: 0, tokens: 0 };

/**
 * Limits what each principal may use in a day. Every server stores its own counts, and adds up those of all servers that share
 * the store. Those of others may be ten seconds old, so several servers together may exceed a limit by what they accept in ten
 * seconds. Counts are stored after each turn and reply; a crash can lose those of the last moment.
 */
export class Quota {
  readonly #options: QuotaOptions;
  readonly #own = new RecentMap<string, Used>(maxPrincipals);
  /** What the other servers have counted, and this one before its last start. */
  #others = new Map<string, Used>();
  #day: string;
  #isDirty = false;
  #saving: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.#day = this.#today();
  }

  /** Reads what was used today. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh().catch(this.#options.onError), refreshMs).unref();
  }

  /** Throws `quota-exceeded` if the principal may start no more turns today. */
  check(origin: Origin): void {
    this.#turnDay();
    const { turns, tokens } = this.#options;
    const used = this.used(this.#payerOf(origin));
    if (turns !== undefined && used.turns >= turns) throw this.#exceeded(`${used.turns} of ${turns} turns`);
    if (tokens !== undefined && used.tokens >= tokens) throw this.#exceeded(`${used.tokens} of ${tokens} tokens`);
  }

  used(principal: string): Used {
    return sum(this.#own.get(principal) ?? unused, this.#others.get(principal) ?? unused);
  }

  /** Counts the turns and tokens of a session. */
  watch(session: Session): void {
    const from = session.seq;
    const prompts = new NewPrompts();
    const payers = new RecentMap<string, string>(1000);
    session.observe((event) => {
      const prompt = prompts.in(event);
      if (event.type === 'prompt' && event.turnId !== undefined) payers.set(event.turnId, this.#payerOf(event.origin));
      // What an earlier run did was counted then.
      if (event.seq > from) this.#count(event, prompt !== undefined, payers.get(event.turnId ?? ''));
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
  }

  #count(event: SessionEvent, isNewPrompt: boolean, payer: string | undefined): void {
    if (payer === undefined) return;
    if (isNewPrompt && event.type === 'prompt' && !event.isCommand) this.#add(payer, { turns: 1, tokens: 0 });
    if (event.type === 'usage') this.#add(payer, { turns: 0, tokens: event.usage.totalTokens ?? 0 });
  }

  #add(principal: string, used: Used): void {
    this.#turnDay();
    const total = sum(this.#own.get(principal) ?? unused, used);
    this.#own.delete(principal);
    this.#own.set(principal, total);
    this.#isDirty = true;
    this.#saving ??= this.#save();
  }

  async #save(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      await this.#options.store.saveUsage(this.#day, Object.fromEntries(this.#own)).catch(this.#options.onError);
    }
    this.#saving = undefined;
  }

  async #refresh(): Promise<void> {
    this.#turnDay();
    const day = this.#day;
    const { store } = this.#options;
    const found = (await store.usage(day)).filter(({ server }) => server !== store.server);
    if (day === this.#day) this.#others = totalOf(found);
  }

  #turnDay(): void {
    const today = this.#today();
    if (today === this.#day) return;
    this.#day = today;
    this.#own.clear();
    this.#others.clear();
  }

  #payerOf(origin: Origin): string {
    const name = nameOf(origin);
    return this.#options.accountOf?.(name) ?? name;
  }

  #today(): string {
    return (this.#options.now?.() ?? new Date()).toISOString().slice(0, 10);
  }

  #exceeded(what: string): AppError {
    const now = this.#options.now?.() ?? new Date();
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
    const retryAfter = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000);
    return new AppError(
      'quota-exceeded',
      `you have used ${what} today; the quota resets at ${resetsAt.toISOString()}`,
      {
        details: { retryAfter, resetsAt: resetsAt.toISOString() },
      },
    );
  }
}

/** The user who needs no token is the owner. */
function nameOf({ principal }: Origin): string {
  return principal ?? 'owner';
}

function sum(a: Used, b: Used): Used {
  return { turns: a.turns + b.turns, tokens: a.tokens + b.tokens };
}

function totalOf(found: readonly StoredUsage[]): Map<string, Used> {
  const total = new Map<string, Used>();
  for (const { body } of found) {
    if (typeof body !== 'object' || body === null) continue;
    for (const [principal, value] of Object.entries(body)) {
      const used = usedIn(value);
      if (used) total.set(principal, sum(total.get(principal) ?? unused, used));
    }
  }
  return total;
}

/** Another version may have stored something else. */
function usedIn(value: unknown): Used | undefined {
  if (typeof value !== 'object' || value === null || !('turns' in value) || !('tokens' in value)) return undefined;
  const { turns, tokens } = value;
  return typeof turns === 'number' && typeof tokens === 'number' ? { turns, tokens } : undefined;
}
