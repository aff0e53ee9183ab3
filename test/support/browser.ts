import { createServer } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { listenOnLoopback } from '../../src/util/listen-on-loopback.js';
import { ensureDebian } from './debian.js';
import { patienceMs } from './until.js';

const program = '/usr/bin/chromium';

/** Starts Debian's Chromium, which is installed first if it is missing. */
export async function startBrowser(): Promise<Browser> {
  ensureDebian(program, 'chromium');
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ];
  const browser = await chromium.launch({
    executablePath: program,
    args: [...quiet, '--disable-component-update', '--disable-sync'],
    timeout: patienceMs,
  });
  // Playwright gives up after 30 s by itself.
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** A web site of its own origin. */
export async function serveSite(html: string): Promise<{ url: string; port: number; close(): void }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  const port = await listenOnLoopback(server, 0);
  return { url: `http://localhost:${port}/`, port, close: () => server.close() };
}
