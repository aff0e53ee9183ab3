import { randomBytes, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { announce } from '../discovery/discovery.js';
import { type AcpEngineOptions, openAcpEngine } from '../engine/acp/acp-engine.js';
import { whyNotOpened } from '../live/why-not-opened.js';
import { openServer, type ServerSettings } from '../server/open-server.js';
import type { SessionOptions } from '../session/session-options.js';
import { Session } from '../session/session.js';
import { memoryStore } from '../stores/memory.js';
import { splitWords } from '../util/split-words.js';

export type ServeAgentOptions = Omit<ServerSettings, 'token'> &
  Pick<AcpEngineOptions, 'command' | 'workspace' | 'env' | 'mode'> &
  Pick<SessionOptions, 'turnEnd'> & {
    readonly stateDir: string;
    /** Hands over what undoes each step as soon as it is done; to be called newest first. */
    readonly onOpen: (undo: () => unknown) => void;
  };

/** An agent behind a hub behind a server that other programs of this user can find. */
export async function serveAgent(
  options: ServeAgentOptions,
): Promise<{ readonly url: string; readonly token: string }> {
  const { command, workspace, stateDir, log, onOpen, turnEnd } = options;
  const engine = openAcpEngine(options);
  onOpen(() => engine.dispose());
  const onError = (error: unknown): void => log.error('mistake of ours', { cause: error });
  const ends = turnEnd === undefined ? {} : { turnEnd };
  const session = new Session({ id: randomUUID(), engine, store: memoryStore(), onError, ...ends });
  onOpen(() => session.close());
  await engine.opened;
  const token = randomBytes(24).toString('base64url');
  const [program = ''] = splitWords(command);
  const card = {
    name: basename(program),
    description: `A session of "${command}" on this machine, shared live by Cosession.`,
  };
  const server = await openServer({ ...options, session, token, card }).catch((error: unknown) => {
    const advice = 'Use --a2a-port 0 for a free port.';
    throw new Error(whyNotOpened(error, { port: options.port, stateDir, advice }), { cause: error });
  });
  onOpen(() => server.close());
  const { port, url } = server;
  const entry = { port, url, pid: process.pid, sessionId: session.id, workspace, token };
  onOpen(announce(stateDir, { ...entry, startedAt: new Date().toISOString() }));
  return { url, token };
}
