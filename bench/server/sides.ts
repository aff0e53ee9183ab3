import { realpathSync } from 'node:fs';
import { installed } from '../../test/support/third-party.js';
import { bareCoreServer, cosessionServe, type ServerStart } from '../support/server-process.js';
import { a2aAgent, type Agent, bareAgent } from './agent.js';

/** What is compared: our server with two stores, the least that is possible on core, and other servers. */
export type SideName = 'sqlite:' | 'memory:' | 'floor' | 'upstream';
export const sideNames: readonly SideName[] = ['sqlite:', 'memory:', 'floor', 'upstream'];

export type Side = {
  readonly program: () => Pick<ServerStart, 'args' | 'env'>;
  readonly agent: (port: number) => Agent;
};

/** Blocks its usage statistics, which should not leave this machine and are not part of the measurement. */
const offline = `data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns';
  const { lookup } = dns;
  dns.lookup = (host, ...rest) => lookup(/^(localhost|127\\.0\\.0\\.1)$/.test(host) ? host : 'offline.invalid', ...rest);
`)}`;

export const sides: Readonly<Record<SideName, Side>> = {
  'sqlite:': { program: () => ours('sqlite:'), agent: a2aAgent },
  'memory:': { program: () => ours('memory:'), agent: a2aAgent },
  floor: { program: bareCoreServer, agent: bareAgent },
  upstream: {
    program() {
      const program = installed('@google/gemini-cli-a2a-server', '0.25.2', { command: 'gemini-cli-a2a-server' });
      // It checks the name it was started by.
      return { args: ['--import', offline, realpathSync(program)] };
    },
    agent: a2aAgent,
  },
};

function ours(store: string) {
  return cosessionServe('--store', store, '--max-running', '1000', '--rate-limit', '0');
}
