import type { AgentName } from '../server/offer.js';

/** The name that clients of the endpoint in a terminal know. */
export const liveCard: AgentName = {
  name: 'Gemini CLI Agent',
  description: 'The Gemini CLI session that runs in a terminal on this machine, shared live by Cosession.',
};

/** The name of the Gemini CLI's own server, which clients of `cosession serve` may look for. */
export const serverCard: AgentName = {
  name: 'Gemini SDLC Agent',
  description: 'Generates code based on instructions',
};
