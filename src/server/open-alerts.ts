import { join } from 'node:path';
import type { Devices } from '../auth/devices.js';
import type { Principal } from '../auth/principal.js';
import { TokenFolder } from '../auth/token-folder.js';
import type { Tokens } from '../auth/tokens.js';
import { TargetCheck } from './a2a/push/safe-target.js';
import { alertFolder } from './alerts/alert-place.js';
import { alertRoutes } from './alerts/alert-routes.js';
import { Alerts } from './alerts/alerts.js';
import { Subscriptions } from './alerts/subscriptions.js';
import { vapidKeysIn } from './alerts/vapid-keys.js';
import { VisiblePages } from './alerts/visible-pages.js';
import { alertTimes } from './alerts/watch-session.js';
import type { Offer } from './offer.js';
import type { ServerSettings } from './open-server.js';
import { type ServedRoute, serveRoutes } from './routes/route.js';

/** Alerts of the page. They keep their data in the state folder or the store, and need one of the two. */
export function openAlerts(settings: ServerSettings, offer: Offer, url: string): readonly ServedRoute[] {
  const { stateDir, noPage, alertAllow = [], log } = settings;
  if (stateDir === undefined || noPage) return [];
  const place = settings.alertPlace ?? alertFolder(join(stateDir, 'push'));
  const shared = {
    keys: () => vapidKeysIn(place),
    // Pages of one state folder belong to different sessions; those of a store are the pages of one cluster.
    subscriptions: new Subscriptions(place, settings.alertPlace ? 'cluster' : url),
    visible: new VisiblePages(offer.peers),
    targets: new TargetCheck(alertAllow, '--alert-allow'),
  };
  const alerts = new Alerts({
    ...shared,
    subject: url.startsWith('https:') ? url : 'mailto:nobody@example.com',
    sessionFor: offer.sessionFor,
    isKnown: knownIn(settings.tokens ?? new TokenFolder(stateDir), settings.devices),
    times: settings.alertTimes ?? alertTimes,
    log,
  });
  offer.onSession((session) => alerts.follow(session));
  return serveRoutes(alertRoutes, { ...shared, alerts });
}

/**
 * A revoked device or token gets nothing more, and nobody gets anything after their credentials have expired. An issuer
 * or authority cannot be asked about revocations, but what a caller may see is checked each time.
 */
function knownIn(own: Tokens, devices: Devices | undefined): (principal: Principal) => Promise<boolean> {
  return async ({ id, via, device, expiresAt = '' }) => {
    if (Date.parse(expiresAt) <= Date.now()) return false;
    if (via !== 'token') return true;
    // A later session may have the address of an earlier one, but not its devices.
    if (device) return (await devices?.list())?.some(({ name }) => name === device.name) ?? false;
    const { tokens } = await own.list();
    const found = tokens.find(({ name }) => `token:${name}` === id);
    return found !== undefined && !(Date.parse(found.expiresAt ?? '') <= Date.now());
  };
}
