import { type OpenServer, openServer, type ServerSettings } from '../../src/server/open-server.js';
import { Session } from '../../src/session/session.js';
import type { SessionOptions } from '../../src/session/session-options.js';
import { memoryStore } from '../../src/stores/memory.js';
import { ConformanceEngine, type ConformanceOptions } from './conformance-engine.js';
import { manySessions } from './many-sessions.js';

export type AgentOptions = Partial<ConformanceOptions> & Partial<ServerSettings> & Pick<SessionOptions, 'turnEnd'>;

export type ConformanceAgent = OpenServer & {
  /** What the server wrote into its log as an error. */
  readonly errors: readonly { message: string; facts: object }[];
};

/** The product's own server and hub over a scripted engine, with a session per context. */
export async function openConformanceAgent(options: AgentOptions = {}): Promise<ConformanceAgent> {
  const { streamingTimeoutMs = 2000, isLegacyKit = false, turnEnd = 'completed', ...server } = options;
  const errors: { message: string; facts: object }[] = [];
  const open = (id: string): Session =>
    new Session({
      id,
      engine: new ConformanceEngine({ streamingTimeoutMs, isLegacyKit }),
      store: memoryStore(),
      model: 'scripted',
      turnEnd,
    });
  const sessions = manySessions(open);
  const opened = await openServer({
    session: open('lobby'),
    sessions,
    port: 0,
    grpcPort: 0,
    token: 'conformance',
    requireToken: false,
    pushAllow: ['*'],
    version: '0.0.0',
    log: {
      debug: () => {},
      info: () => {},
      error: (message, facts = {}) => void errors.push({ message, facts }),
    },
    presence: { joined: () => {}, left: () => {} },
    ...server,
  });
  return Object.assign(opened, { errors });
}
