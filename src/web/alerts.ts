/** Alerts of this browser (Web Push), and the service worker that shows them. */
import { defined } from '../util/defined.js';
import { get, post, remove } from './api.js';

/** `unsupported`: the page is not secure, or the browser has no Web Push. `blocked`: the user has forbidden notifications. */
export type AlertsState = 'unsupported' | 'blocked' | 'off' | 'on';

/** The only script address that may ever be built from a text. The page's policy allows no other rule of this name. */
const workerUrl = (): string => {
  const path = 'ui/sw.js';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- browsers have it, TypeScript's types do not
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => path });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object that `register` takes in place of the text it stands for
  return policy ? (policy.createScriptURL(path) as string) : path;
};

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): unknown };
};

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** Undefined where there are no service workers: on plain http, except on the same machine. */
function worker(): Promise<ServiceWorkerRegistration | undefined> {
  registered ??=
    'serviceWorker' in navigator
      ? navigator.serviceWorker.register(workerUrl(), { scope: './' }).catch(() => undefined)
      : Promise.resolve(undefined);
  return registered;
}

/** Called once: opens what an alert is about, renews this browser's subscription, and clears the badge when it is seen. */
export function startAlerts(onOpen: (taskId: string) => void): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const task = taskIn(data);
    if (task !== '') onOpen(task);
  });
  void subscription().then((found) => found && save(found).catch(() => {}));
  document.addEventListener('visibilitychange', clearBadge);
  clearBadge();
}

/** The task that the service worker wants to be opened. */
function taskIn(data: unknown): string {
  if (typeof data !== 'object' || data === null || Reflect.get(data, 'type') !== 'open-task') return '';
  const task: unknown = Reflect.get(data, 'task');
  return typeof task === 'string' ? task : '';
}

function clearBadge(): void {
  if (document.visibilityState === 'visible' && 'clearAppBadge' in navigator)
    void navigator.clearAppBadge().catch(() => {});
}

const tab = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const stillVisibleMs = 30_000;

/** Reports to the server whether somebody can see this page, which then needs no alert. Returns the undo. */
export function reportVisibility(taskId: string | undefined): () => void {
  const report = (): void => {
    const isVisible = document.visibilityState === 'visible';
    // An alert too many is better than an error that nobody can do anything about.
    void post('ui/visible', { page: tab, isVisible, ...defined({ taskId }) }).catch(() => {});
  };
  const again = setInterval(() => document.visibilityState === 'visible' && report(), stillVisibleMs);
  document.addEventListener('visibilitychange', report);
  report();
  return () => {
    clearInterval(again);
    document.removeEventListener('visibilitychange', report);
  };
}

export async function alertsState(): Promise<AlertsState> {
  const found = await worker();
  if (!found || !('pushManager' in found) || !('Notification' in globalThis)) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return (await found.pushManager.getSubscription()) ? 'on' : 'off';
}

/** Asks the user for permission, so it must be called from a click. */
export async function switchOn(): Promise<AlertsState> {
  const found = await worker();
  if (!found) return 'unsupported';
  if ((await Notification.requestPermission()) !== 'granted') return 'blocked';
  const { publicKey } = await get<{ publicKey: string }>('ui/push');
  const ready = await navigator.serviceWorker.ready;
  await save(await ready.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  return 'on';
}

export async function switchOff(): Promise<AlertsState> {
  const found = await subscription();
  if (found) {
    await remove('ui/push', { endpoint: found.endpoint });
    await found.unsubscribe();
  }
  return 'off';
}

/** Whether the push service took it. */
export async function sendTest(): Promise<boolean> {
  const found = await subscription();
  if (!found) return false;
  const { isSent } = await post<{ isSent: boolean }>('ui/push/test', { endpoint: found.endpoint });
  return isSent;
}

async function subscription(): Promise<PushSubscription | undefined> {
  const found = await worker();
  return (await found?.pushManager?.getSubscription()) ?? undefined;
}

async function save(found: PushSubscription): Promise<void> {
  await post('ui/push', { subscription: found.toJSON() });
}
