import { spawn } from 'node:child_process';
import type { GivenTo } from '../argv/commands.js';
import { findSession } from '../find/find-session.js';
import { pageUrl } from '../find/page-url.js';
import type { Io } from '../view/io.js';

/** `cosession open [session]`: opens the page in the browser, and prints its address for when there is none. */
export async function open(given: GivenTo<'open'>, io: Io): Promise<number> {
  const url = pageUrl((await findSession(io, given)).url);
  io.stdout.write(`${url}\n`);
  if (!(await startBrowser(url, io))) io.stdout.write('No browser could be started: open this address yourself.\n');
  return 0;
}

const patienceMs = 3000;

/** False if there is no program that opens addresses, or it says that it could not. */
function startBrowser(url: string, { env }: Io): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  return new Promise((resolve) => {
    // Some of these programs run as long as the browser does. This process stays alive until it knows whether they
    // failed.
    const timer = setTimeout(() => settle(true), patienceMs);
    const settle = (isOpened: boolean): void => {
      clearTimeout(timer);
      child.unref();
      resolve(isOpened);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
}

/** The address is a separate argument: no shell interprets it. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
