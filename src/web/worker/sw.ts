/**
 * The service worker: shows alerts, and keeps the files of the page so that it opens without a connection. It never touches
 * anything else; events, tasks and credentials are not cached.
 */
import { alertWords } from '../words/alerts.js';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: the version of the page and what its first load needs, relative to the page. */
declare const shell: { readonly version: string; readonly files: readonly string[] };

/** What the server sends. `n` questions wait; with 0, a turn has ended. */
type Alert = { readonly n: number; readonly task: string };

const { scope } = self.registration;
// Several pages may share an origin, each below its own path.
const prefix = `cosession ${scope} `;
const cacheName = prefix + shell.version;
const kept = new Set(shell.files.map(at));
const chunks = at('ui/chunks/');

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = request.url.split(/[?#]/, 1)[0] ?? '';
  if (request.method !== 'GET') return;
  // The name of a chunk changes with its content.
  if (url.startsWith(chunks)) event.respondWith(fromCacheFirst(request));
  // Frames are left to the server, which refuses them.
  else if (url === scope && request.destination === 'document') event.respondWith(fromServerFirst(asVisit(url), url));
  else if (url !== scope && kept.has(url)) event.respondWith(fromServerFirst(request, url));
});
self.addEventListener('push', (event) => event.waitUntil(show(readAlert(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.tag));
});

function at(path: string): string {
  return new URL(path, scope).href;
}

/**
 * The server gives the page only to those who ask for HTML. A visit that began with a link on another site becomes a new
 * request: forwarded by a worker, it would look like a request of that site and be refused.
 */
function asVisit(url: string): Request {
  return new Request(url, { headers: { accept: 'text/html, */*' }, cache: 'no-cache' });
}

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...kept].map(asVisit));
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

async function fromCacheFirst(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const found = await cache.match(request, { ignoreVary: true });
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

async function fromServerFirst(request: Request, url: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(url, { cacheName, ignoreVary: true });
    if (found) return found;
    throw error;
  }
}

function readAlert(data: PushMessageData | null): Alert {
  const read: unknown = data?.json();
  if (typeof read !== 'object' || read === null) return { n: 0, task: '' };
  const n: unknown = Reflect.get(read, 'n');
  const task: unknown = Reflect.get(read, 'task');
  return { n: typeof n === 'number' ? n : 0, task: typeof task === 'string' ? task : '' };
}

/** One notification per task: a later one replaces the earlier one. */
async function show({ n, task }: Alert): Promise<void> {
  await self.registration.showNotification(n === 0 ? alertWords.ended : alertWords.waiting(n), {
    body: alertWords.open,
    tag: task,
    icon: at('ui/icon-192.png'),
    badge: at('ui/icon-192.png'),
  });
  if ('setAppBadge' in self.navigator) await self.navigator.setAppBadge(n).catch(() => {});
}

/** Sends an open window to the task and brings it to the front, or opens a new one. */
async function open(task: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const found = windows.find(({ url }) => url.startsWith(scope));
  if (!found)
    return void (await self.clients.openWindow(task === '' ? scope : at(`?task=${encodeURIComponent(task)}`)));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the window of a service worker's client has no such argument
  found.postMessage({ type: 'open-task', task });
  await found.focus();
}
