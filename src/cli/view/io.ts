import type { Readable, Writable } from 'node:stream';

/** Everything a command gets from outside; `main.ts` passes the real values. */
export type Io = {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** For what a script should not take for the result. */
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** The user's name and machine, as `ada@laptop`: what a client is called by default. */
  readonly user: string;
  /** The command that started this program: Node and our script. */
  readonly program: readonly [node: string, script: string];
  /** Throws if other users may write to it. */
  readonly stateDir: string;
  /** For a session without a discovery file here. */
  readonly token: string | undefined;
  readonly useColor: boolean;
};
