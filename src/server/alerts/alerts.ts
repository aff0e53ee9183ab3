import { can, type Principal } from '../../auth/principal.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Session } from '../../session/session.js';
import type { TargetCheck } from '../a2a/push/safe-target.js';
import type { Alert } from './send-alert.js';
import type { Subscription, Subscriptions } from './subscriptions.js';
import type { VapidKeys } from './vapid-keys.js';
import type { VisiblePages } from './visible-pages.js';
import { type AlertTimes, watchSession } from './watch-session.js';

export type AlertsOptions = {
  readonly subscriptions: Subscriptions;
  readonly visible: VisiblePages;
  readonly keys: () => Promise<VapidKeys>;
  readonly subject: string;
  readonly targets: TargetCheck;
  /** Rejects if the principal may not see the task. */
  readonly sessionFor: (taskId: string, principal: Principal) => Promise<unknown>;
  /** Whether the credentials by which the principal subscribed still exist. */
  readonly isKnown: (principal: Principal) => Promise<boolean>;
  readonly times: AlertTimes;
  readonly log: ServerLog;
};

/** Alerts subscribed browsers that somebody is needed, while nobody is looking. */
export class Alerts {
  readonly #options: AlertsOptions;

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  follow(session: Session): void {
    const { times, log } = this.#options;
    watchSession(session, times, () => {
      this.#alert(session).catch((cause: unknown) => log.error('alert not sent', { task: session.id, cause }));
    });
  }

  /** Sends an alert to one browser. Its user can see whether it arrives. */
  async test(subscription: Subscription, task: string): Promise<boolean> {
    return this.#send(subscription, { n: 0, task });
  }

  async #alert(session: Session): Promise<void> {
    const { subscriptions, visible, log } = this.#options;
    const all = await subscriptions.list();
    if (all.length === 0) return;
    // Somebody who may only watch cannot help, so the others still need the alert.
    for (const { principal } of visible.showing(session.id))
      if (can(principal, 'approve') && (await this.#maySee(principal, session)))
        return log.debug('no alert: the page is visible', { task: session.id });
    const alert = { n: session.snapshot.pending.length, task: session.id };
    await Promise.all(
      all.map(async (subscription) => {
        if (await this.#maySee(subscription.principal, session)) await this.#send(subscription, alert);
      }),
    );
  }

  async #maySee(principal: Principal, { id }: Session): Promise<boolean> {
    return this.#options.sessionFor(id, principal).then(
      () => true,
      () => false,
    );
  }

  async #send(subscription: Subscription, alert: Alert): Promise<boolean> {
    const { subscriptions, keys, subject, targets, isKnown, log } = this.#options;
    const { host } = new URL(subscription.endpoint);
    try {
      if (!(await isKnown(subscription.principal))) {
        await subscriptions.remove(subscription.endpoint);
        return false;
      }
      // Loaded with the first alert.
      const { sendAlert } = await import('./send-alert.js');
      const result = await sendAlert(subscription, alert, { keys: await keys(), subject, targets });
      if (result === 'gone') await subscriptions.remove(subscription.endpoint);
      if (result !== 'sent') log.info('a push service did not accept an alert', { host, result });
      return result === 'sent';
    } catch (cause) {
      log.info('a push service did not accept an alert', { host, cause });
      return false;
    }
  }
}
