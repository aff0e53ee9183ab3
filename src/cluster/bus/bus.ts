/**
 * Carries messages between the servers of a cluster. It may lose, delay or repeat any of them: the store is the truth,
 * and a server that misses something reads it there.
 */
export type Bus = {
  /** Answers the requests that other servers send to this one. */
  serve(answer: (request: string) => Promise<string>): void;
  /** Rejects with `NobodyThere` immediately if that server does not listen, and with `NoAnswer` after the time limit. */
  request(server: string, request: string, timeoutMs: number): Promise<string>;
  /** To the servers that follow the task. */
  publish(taskId: string, message: string): void;
  /** Resolves once the subscription is active: nothing published after that is missed. Returns the undo. */
  follow(taskId: string, listener: (message: string) => void): Promise<() => void>;
  /** To all other servers. */
  announce(message: string): void;
  onAnnouncement(listener: (message: string) => void): void;
  /** Whether messages get through now, as far as this side knows. */
  readonly isConnected: boolean;
  /** Whether it reports immediately that nobody listens. Then a missing listener proves that a server is gone. */
  readonly noticesAbsence: boolean;
  close(): Promise<void>;
};

/** The largest message. Larger ones are left in the store or sent in parts. */
export const maxMessage = 512 * 1024;

export class NobodyThere extends Error {
  override readonly name = 'NobodyThere';
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
