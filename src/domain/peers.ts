/** The other servers of a cluster, for what is not about one task. */
export type Peers = {
  /** The name of this server among them. */
  readonly server: string;
  /** To all others that can be reached now. It may be lost, so nothing may depend on it. */
  tell(topic: string, about: unknown): void;
  onTold(topic: string, listener: (about: unknown) => void): void;
  /** Asks again if the reply is lost, so the other server must tolerate repeats. Throws the `AppError` of a refusal. */
  ask(server: string, op: string, about: unknown): Promise<PeerAnswer>;
  /** The answers of all other servers that are alive. */
  askAll(op: string, about: unknown): Promise<readonly PeerAnswer[]>;
  /** How this server answers. */
  onAsked(op: string, act: (about: unknown) => Promise<unknown>): void;
  /** A server has stopped, or was found gone. */
  onGone(listener: (server: string) => void): void;
};

/** `gone`: there is no such server any more. `silent`: it did not answer, and may or may not have done it. */
export type PeerAnswer = { readonly is: 'done'; readonly value: unknown } | { readonly is: 'gone' | 'silent' };
