import { userInfo } from 'node:os';
import type { Request } from 'express';
import * as z from 'zod';
import type { Device } from '../../auth/devices.js';
import { can, type Principal, scopes } from '../../auth/principal.js';
import { roleOf, roles } from '../../auth/roles.js';
import { check } from '../../dialects/shared/message.js';
import { defined } from '../../util/defined.js';
import { admissionOf, principalOf } from '../guards/admission.js';
import { deviceCookie } from '../guards/device-cookie.js';
import { type Route, route } from '../routes/route.js';
import type { Pairing } from './pairing.js';

/** What the page shows about where it is. */
export type PageFacts = {
  readonly mode: 'live' | 'serve';
  readonly version: string;
  /** Of the one session of a live endpoint. */
  readonly taskId?: string;
  readonly workspace?: string;
};

export type PairingContext = {
  readonly facts: PageFacts;
  readonly pairing: Pairing;
  /** The address of the server, and the one that clients are to use, if it is another. Both end with a slash. */
  readonly url: string;
  readonly publicUrl?: string;
};

const minSeconds = 60;
const maxSeconds = 30 * 24 * 3600;
const defaultSeconds = 2 * 3600;

const scopeList = z.array(z.enum(scopes));
const meAnswer = z.object({
  name: z.string(),
  principal: z.string().optional(),
  scopes: scopeList,
  expires: z.iso.datetime().optional(),
  mode: z.enum(['live', 'serve']),
  version: z.string(),
  taskId: z.string().optional().describe('the only task that the caller can see'),
  workspace: z.string().optional(),
});

const pairBody = z.object({
  code: z.string().max(64).describe('as shown; spaces and case do not matter'),
  name: z.string().max(200).optional().describe('what to call this browser'),
});

const shareBody = z.object({
  role: z.enum(roles),
  expiresIn: z.int().min(minSeconds).max(maxSeconds).default(defaultSeconds).describe('seconds'),
  taskId: z.string().optional().describe('share this task only'),
});

const shareAnswer = z.object({
  code: z.string(),
  url: z.string(),
  role: z.enum(roles),
  codeExpiresAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

const deviceRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  scopes: scopeList,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  lastUsedAt: z.iso.datetime().optional(),
  isCurrent: z.boolean(),
});

/** Who the caller is, and how browsers are paired. */
export const pairingRoutes: readonly Route<PairingContext>[] = [
  route({
    method: 'GET',
    path: '/ui/me',
    scope: 'view',
    name: 'getMe',
    summary: 'Who the caller is and what it may do',
    answer: { status: 200, meaning: 'the caller', json: meAnswer },
    handle({ facts }: PairingContext, request, response) {
      const principal = principalOf(request);
      const { id, via, expiresAt: expires, device } = principal;
      response.set('cache-control', 'no-store').json({
        ...facts,
        name: device?.label ?? (via === 'owner' ? userName() : id.replace(/^token:/, '')),
        ...(via === 'owner' ? {} : { principal: id }),
        scopes: scopes.filter((scope) => can(principal, scope)),
        ...defined({ expires }),
        ...defined({ taskId: device?.taskId }),
      });
    },
  }),
  route({
    method: 'POST',
    path: '/ui/pair',
    scope: 'anyone',
    name: 'pairBrowser',
    summary: 'Pair a browser with a one-time code: one half of its credentials is the answer, the other is a cookie',
    body: pairBody,
    answer: { status: 200, meaning: 'the page key', json: z.object({ page: z.string() }) },
    async handle({ pairing, publicUrl }: PairingContext, request, response) {
      const { code, name } = check(pairBody, request.body, 'the body');
      const { visitor } = admissionOf(request);
      const label = name ?? kindOf(request.get('user-agent'));
      const { halves, expiresAt } = await pairing.pair(code, label, visitor);
      const [cookie = '', page = ''] = splitHalves(halves);
      const where = { path: pathOf(request, publicUrl), isSecure: isSecure(request), expiresAt };
      response.set({ 'set-cookie': deviceCookie(request, cookie, where), 'cache-control': 'no-store' }).json({ page });
    },
  }),
  route({
    method: 'POST',
    path: '/ui/share',
    // Like a webhook, it lets others see what happens.
    scope: 'prompt',
    name: 'share',
    summary: 'Make a one-time code for a role that the caller has itself',
    body: shareBody,
    answer: { status: 201, meaning: 'the code, which works once, for two minutes', json: shareAnswer },
    async handle({ pairing, url, publicUrl }: PairingContext, request, response) {
      const { role, expiresIn: seconds, taskId } = check(shareBody, request.body, 'the body');
      const shared = await pairing.share(admissionOf(request), { role, seconds, ...defined({ taskId }) });
      const page = publicUrl ?? (request.headers.origin === undefined ? url : `${request.headers.origin}/`);
      response
        .status(201)
        .set('cache-control', 'no-store')
        .json({ ...shared, role, url: linkTo(page, shared.code, taskId) });
    },
  }),
  route({
    method: 'GET',
    path: '/ui/devices',
    scope: 'view',
    name: 'listDevices',
    summary: 'The paired browsers that the caller may end',
    answer: { status: 200, meaning: 'the devices', json: z.object({ devices: z.array(deviceRow) }) },
    async handle({ pairing }: PairingContext, request, response) {
      const principal = principalOf(request);
      const devices = (await pairing.devicesOf(principal)).map((device) => toRow(device, principal));
      response.set('cache-control', 'no-store').json({ devices });
    },
  }),
  route({
    method: 'DELETE',
    path: '/ui/devices/:deviceId',
    scope: 'view',
    name: 'endDevice',
    summary: 'End a pairing, and those it shared; their connections close',
    answer: { status: 204, meaning: 'ended' },
    async handle({ pairing }: PairingContext, request, response) {
      await pairing.end(request.params.deviceId, principalOf(request));
      response.status(204).end();
    },
  }),
];

/** The code is in the fragment, which browsers send to no server and put into no `Referer`. */
export function linkTo(page: string, code: string, taskId?: string): string {
  const query = taskId === undefined ? '' : `?task=${encodeURIComponent(taskId)}`;
  return `${page}${query}#pair=${code}`;
}

export function toRow({ name, scopes: given, createdAt, expiresAt, lastUsedAt, device }: Device, principal: Principal) {
  return {
    id: name,
    name: device.label,
    role: roleOf(given),
    scopes: given,
    createdAt,
    ...defined({ expiresAt, lastUsedAt }),
    isCurrent: name === principal.device?.name,
  };
}

/** The page key is what follows the last dot: a token's name may contain dots. */
function splitHalves(halves: string): readonly string[] {
  const at = halves.lastIndexOf('.');
  return [halves.slice(0, at), halves.slice(at + 1)];
}

/** Browsers send `Origin` with every post, and the guard has checked that it is our own. */
function isSecure({ headers }: Request): boolean {
  return headers.origin?.startsWith('https:') ?? false;
}

/** A proxy may serve us below a path; direct callers see us at the root. */
function pathOf({ headers }: Request, publicUrl: string | undefined): string {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  return known && headers.host === known.host ? known.pathname : '/';
}

function kindOf(userAgent = ''): string {
  return /iPhone|iPad|Android|Mobile/i.test(userAgent) ? 'phone' : 'browser';
}

/** A user without an entry in the system's list has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'owner';
  }
}
