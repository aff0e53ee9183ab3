import type { Readable, Writable } from 'node:stream';

/** What a command gets from the outside; `main.ts` hands it the real thing. */
export type Io = {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** How this program was started: Node and our script. */
  readonly program: readonly [node: string, script: string];
  /** Throws if others may write there. */
  readonly stateDir: string;
  /** For a session that is not found by its discovery file. */
  readonly token: string | undefined;
  readonly useColor: boolean;
};
