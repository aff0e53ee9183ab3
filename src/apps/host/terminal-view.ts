import { connect } from '../../client/node.js';
import { sessionEnded } from '../../domain/final-close.js';
import type { ClientSession } from '../../client/session.js';
import { Attachment } from '../../cli/view/attachment.js';
import type { Io } from '../../cli/view/io.js';
import type { HostedEndpoint } from './serve-session.js';

/** The client name that others see for input from this terminal. */
export const viewName = 'terminal';

export type TerminalView = {
  note(text: string): void;
  /** Resolves when the user has left. */
  readonly closed: Promise<void>;
  close(): void;
};

/** The agent's own terminal: a client of the hub like any other, with the same output as `cosession attach`. */
export async function openTerminalView({
  io,
  ...endpoint
}: Omit<HostedEndpoint, 'line'> & { readonly io: Io }): Promise<TerminalView> {
  const session = await connect({ ...endpoint, client: viewName });
  const attachment = new Attachment({
    session,
    io,
    welcome: 'a line is a prompt; Ctrl-C stops the turn, twice quits',
    farewell: () => sessionEnded,
    onInterrupt: onInterrupt(session, (text) => attachment.view.note(text)),
    folder: io.folder,
  });
  return {
    note: (text) => attachment.view.note(text),
    closed: attachment.run(),
    close: () => session.close(),
  };
}

/** A second Ctrl-C within this time quits. */
const twiceMs = 2000;

function onInterrupt(session: ClientSession, note: (text: string) => void): () => void {
  let last = -Infinity;
  return () => {
    const isSecond = Date.now() - last < twiceMs;
    const isRunning = session.state === 'working' || session.state === 'input-required';
    last = Date.now();
    if (isSecond) return session.close();
    if (!isRunning) return note('Ctrl-C again quits');
    note('stopping the turn; Ctrl-C again quits');
    // The turn may just have ended.
    session.cancel().catch(() => {});
  };
}
