import type { Browser, Page } from 'playwright-core';
import type { Role } from '../../src/auth/roles.js';
import { browserAt } from './paired.js';

export type Visit = {
  /** The name that others see; default `phone`. */
  readonly name?: string;
  readonly size?: 'phone' | 'desk';
  readonly theme?: 'light' | 'dark';
  /** Pairs first. Without it, the browser belongs to the server's own user, who may do everything. */
  readonly role?: Role;
};

const sizes = { phone: { width: 360, height: 780 }, desk: { width: 1440, height: 900 } };

export type Visitor = {
  readonly page: Page;
  /** Everything that must not happen: errors, refusals of the content policy, requests to other places. */
  readonly problems: readonly string[];
};

/** Opens the page of an endpoint in a browser window of its own. */
export async function visit(browser: Browser, url: string, options: Visit = {}): Promise<Visitor> {
  const { name = 'phone', size = 'phone', theme = 'light', role } = options;
  const isPhone = size === 'phone';
  const { origin } = new URL(url);
  const localStorage = [{ name: 'cosession.name', value: name }];
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
    viewport: sizes[size],
    colorScheme: theme,
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    // A client whose connection fails asks by HTTP for the reason; 426 means that there is none.
    if (message.type() === 'error' && !message.text().includes('426')) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(role === undefined ? url : await linkTo(url, role));
  // A question takes the place of the input.
  await page.waitForSelector('.composer, .viewonly, .list-main', { state: 'attached' });
  return { page, problems };
}

async function linkTo(url: string, role: Role): Promise<string> {
  const { json } = await browserAt(new URL(url).origin).post('/ui/share', { role });
  return `${url}#pair=${String(json['code'])}`;
}

/** What the thread says, without what the browser adds. */
export async function threadText(page: Page): Promise<string> {
  return (await page.locator('.thread').innerText()).replaceAll(/\s+/g, ' ');
}

/** Cuts the page's connections and opens no other until it is told to. Call it before the page is loaded again. */
export async function holdSockets(page: Page): Promise<{ cut(code?: number): Promise<void>; release(): void }> {
  const open = new Set<(code?: number) => Promise<void>>();
  let isHeld = false;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    if (isHeld) return void socket.close({ code: 1013 });
    socket.connectToServer();
    open.add(async (code) => socket.close(code === undefined ? {} : { code }));
    return undefined;
  });
  return {
    async cut(code) {
      isHeld = true;
      await Promise.all(Array.from(open, (close) => close(code)));
      open.clear();
    },
    release: () => (isHeld = false),
  };
}
