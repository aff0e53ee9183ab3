import { liveCard } from '../../src/apps/agent-cards.js';
import { openServer } from '../../src/server/open-server.js';
import { Session } from '../../src/session/session.js';
import { memoryStore } from '../../src/stores/memory.js';
import { ManualEngine } from '../../test/support/manual-engine.js';
import { serve } from '../support/serve.js';
import { loadOf, text } from './load.js';

const engine = new ManualEngine();
const session = new Session({ id: 'session-1', engine, store: memoryStore() });
engine.report({ type: 'started', text: 'go', origin: { surface: 'tui' } });
const load = loadOf(() => engine.say(text));

const methods = {
  async open(token: string): Promise<number> {
    const nothing = (): void => {};
    const server = await openServer({
      session,
      card: liveCard,
      port: 0,
      token,
      requireToken: true,
      version: '0.0.0',
      log: { debug: nothing, info: nothing, error: nothing },
      presence: { joined: nothing, left: nothing },
    });
    return server.port;
  },
  ...load,
};

export type ServerMethods = typeof methods;
serve(methods);
