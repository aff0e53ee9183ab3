/** Where tokens are kept: one record each, under its name. */
export type TokenPlace = {
  names(): Promise<string[]>;
  /** Undefined if there is none of this name. */
  read(name: string): Promise<string | undefined>;
  /** Atomic: of two that create the same name, one gets false. */
  create(name: string, record: string, at: Date): Promise<boolean>;
  /** False if there was none. */
  remove(name: string): Promise<boolean>;
  /** When it was last used, or created. */
  usedAt(name: string): Promise<Date | undefined>;
  /** May fail: a place that can only be read does not record the last use. */
  markUsed(name: string, at: Date): Promise<void>;
};
