import { liveSessions } from '../../discovery/discovery.js';

export type WhyNotOptions = {
  readonly port: number;
  readonly stateDir: string;
  /** How the user can get a free port. */
  readonly advice: string;
};

/** Explains to the user why the endpoint was not opened. */
export function whyNotOpened(error: unknown, { port, stateDir, advice }: WhyNotOptions): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES') return `you may not use port ${port}. ${advice}`;
  if (code !== 'EADDRINUSE') return error instanceof Error ? error.message : String(error);
  const other = liveSessions(stateDir).find((entry) => entry.port === port);
  const who = other ? `the session in ${other.workspace} (pid ${other.pid})` : 'another program';
  return `port ${port} is in use by ${who}. ${advice}`;
}
