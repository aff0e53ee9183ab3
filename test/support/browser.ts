import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { ensureDebian } from './debian.js';
import { patienceMs } from './until.js';

/** Starts Debian's Chromium without its windows: the whole one takes twice the processor time for the same page. */
export function startBrowser(...flags: readonly string[]): Promise<Browser> {
  return start('chromium-headless-shell', flags);
}

/** The whole browser, which shows notifications. */
export function startWholeBrowser(): Promise<Browser> {
  return start('chromium', []);
}

/** The Debian package is installed first if it is missing. */
async function start(name: string, flags: readonly string[]): Promise<Browser> {
  const executablePath = `/usr/bin/${name}`;
  ensureDebian({ [executablePath]: name });
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ];
  const browser = await chromium.launch({
    executablePath,
    args: [...quiet, '--disable-component-update', '--disable-sync', ...flags],
    timeout: patienceMs,
  });
  // Playwright gives up after 30 s by itself.
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** For a browser that takes these certificates (PEM) for good, as it does those of an authority that its user trusts. */
export function trusting(...certificates: readonly string[]): string {
  const hashes = certificates.map((pem) => {
    const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('base64');
  });
  return `--ignore-certificate-errors-spki-list=${hashes.join(',')}`;
}

/** For a browser that finds this name (and port) on this machine. */
export function resolving(name: string, port?: number): string {
  const [from, to] = port === undefined ? [name, '127.0.0.1'] : [`${name}:443`, `127.0.0.1:${port}`];
  return `--host-resolver-rules=MAP ${from} ${to}`;
}

/** A web site of its own origin. */
export async function serveSite(html: string): Promise<{ url: string; port: number; close(): void }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  const port = await listenOnLoopback(server, 0);
  return { url: `http://localhost:${port}/`, port, close: () => server.close() };
}
