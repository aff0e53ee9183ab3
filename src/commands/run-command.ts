import type { Io } from './io.js';

export type CommandName = 'watch' | 'send' | 'approve' | 'cancel' | 'attach' | 'acp';

/** Runs one of the commands that talk to a live session. Each is loaded only when it is run. */
export async function runCommand(name: CommandName, argv: readonly string[], io: Io): Promise<number> {
  switch (name) {
    case 'watch':
      return (await import('./watch.js')).watch(argv, io);
    case 'send':
      return (await import('./send.js')).send(argv, io);
    case 'approve':
      return (await import('./approve.js')).approve(argv, io);
    case 'cancel':
      return (await import('./cancel.js')).cancel(argv, io);
    case 'acp':
      return (await import('./acp.js')).acp(argv, io);
    default:
      return (await import('./attach.js')).attach(argv, io);
  }
}
