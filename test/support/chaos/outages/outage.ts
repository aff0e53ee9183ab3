/** A way in which the store goes away under the server. */
export type Outage = {
  readonly name: string;
  /** It can be held until the server loses patience. */
  readonly canLast: boolean;
  /** Takes the store away; what it returns brings it back. */
  begin(): Promise<() => Promise<void>>;
};
