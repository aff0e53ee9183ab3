import { realpathSync } from 'node:fs';
import { installed } from '../../test/support/third-party.js';
import { bareCoreServer, cosessionServe, type ServerPlace, type ServerProgram } from '../support/server-process.js';
import { a2aAgent, type Agent, bareAgent } from './agent.js';
import { offline } from './offline.js';
import { opencodeAgent, opencodeProgram } from './opencode-agent.js';
import { qwenAgent, qwenProgram } from './qwen-agent.js';

/** What is compared: our server with two stores, the least that is possible on core, and other servers. */
export type SideName = 'sqlite:' | 'memory:' | 'floor' | 'upstream' | PeerName;

/** Servers of other agents, which speak protocols of their own. */
export type PeerName = 'opencode' | 'qwen';
export const peerNames: readonly PeerName[] = ['opencode', 'qwen'];
export const sideNames: readonly SideName[] = ['sqlite:', 'memory:', 'floor', 'upstream', ...peerNames];

export function isPeer(side: SideName): side is PeerName {
  return peerNames.some((peer) => peer === side);
}

export type Side = {
  readonly program: (place: ServerPlace) => ServerProgram;
  readonly agent: (port: number) => Agent;
};

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
  opencode: { program: opencodeProgram, agent: opencodeAgent },
  qwen: { program: qwenProgram, agent: qwenAgent },
};

function ours(store: string) {
  return cosessionServe('--store', store, '--max-running', '1000', '--rate-limit', '0');
}
