import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type AcpEngineOptions, openAcpEngine } from '../../engine/acp/acp-engine.js';
import { splitWords } from '../../util/text/split-words.js';
import { type HostedEndpoint, type HostOptions, serveSession } from './serve-session.js';

export type ServeAgentOptions = HostOptions & Pick<AcpEngineOptions, 'command' | 'env' | 'mode'>;

/** An ACP agent behind a hub behind a server. */
export function serveAgent(options: ServeAgentOptions): Promise<HostedEndpoint> {
  const { command } = options;
  const engine = openAcpEngine(options);
  const [program = ''] = splitWords(command);
  const card = {
    name: basename(program),
    description: `A session of "${command}" on this machine, shared live by Cosession.`,
  };
  return serveSession({ id: randomUUID(), engine, opened: engine.opened, card }, options);
}
