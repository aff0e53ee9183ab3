import { owner } from '../auth/principal.js';
import type { MakeLimiter } from '../auth/shared-limits.js';
import type { Role } from '../auth/roles.js';
import { AppError } from '../domain/errors.js';
import { defined } from '../util/defined.js';
import type { Access } from './guards/access.js';
import type { OnRefused } from './guards/credential-check.js';
import type { Offer } from './offer.js';
import type { ServerSettings } from './open-server.js';
import { pageFiles } from './page/page-files.js';
import { Pairing, type Shared } from './page/pairing.js';
import { linkTo, pairingRoutes, toRow } from './page/pairing-routes.js';
import { staticRoutes } from './page/static-routes.js';
import { type ServedRoute, serveRoutes } from './routes/route.js';

/** What the terminal of a live session can do with its page. */
export type PageDesk = {
  /** The address of the page. */
  readonly url: string;
  share(role: Role, seconds: number): Promise<Shared & { readonly url: string }>;
  devices(): Promise<readonly DeviceLine[]>;
  /** False if there is none of this name. */
  end(name: string): Promise<boolean>;
};

type DeviceLine = Omit<ReturnType<typeof toRow>, 'isCurrent' | 'scopes'>;

export type OpenPage = { readonly routes: readonly ServedRoute[]; readonly desk?: PageDesk };

export type PageOptions = {
  readonly settings: ServerSettings;
  readonly offer: Offer;
  readonly access: Access;
  /** The address clients use to reach this server. */
  readonly url: string;
  readonly onRefused?: OnRefused | undefined;
  /** Of a server that shares its limits with others. */
  readonly makeLimiter?: MakeLimiter | undefined;
};

/** The page for browsers, and the routes that pair them. */
export function openPage({ settings, offer, access, url, onRefused, makeLimiter }: PageOptions): OpenPage {
  const { noPage, devices, publicUrl, version, presence, audit } = settings;
  if (noPage) return { routes: [] };
  const files = serveRoutes(staticRoutes, { files: pageFiles() });
  if (!devices) return { routes: files };
  const { credentialCheck, rechecks } = access;
  const pairing = new Pairing({
    devices,
    credentialCheck,
    checkTask: async (taskId, principal) => (await offer.sessionFor(taskId, principal))?.createdAt,
    onEnded: () => void rechecks.check(),
    onPaired: (label, role) => presence.paired?.(label, role),
    ...defined({ audit, onRefused, makeLimiter, peers: offer.peers }),
  });
  const facts = { ...offer.page, version };
  const routes = serveRoutes(pairingRoutes, { facts, pairing, url, ...defined({ publicUrl }) });
  const desk: PageDesk = {
    url,
    async share(role, seconds) {
      const shared = await pairing.share({ principal: owner }, { role, seconds });
      return { ...shared, url: linkTo(url, shared.code) };
    },
    devices: async () => (await pairing.devicesOf(owner)).map((device) => toRow(device, owner)),
    end: (name) =>
      pairing.end(name, owner).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'not-found') return false;
          throw error;
        },
      ),
  };
  // The files come last: their route takes every path below /ui.
  return { routes: [...routes, ...files], desk };
}
