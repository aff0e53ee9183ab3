import type { SessionEvent } from '../../../../src/domain/events.js';
import type { Outage } from '../outages/outage.js';

/** A store to put the server on. */
export type ChaosStore = {
  /** An empty place for one round; `folder` is the server's. */
  newPlace(folder: string): Promise<Place>;
  close(): Promise<void>;
};

export type Place = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly outages: readonly Outage[];
  readonly view: StoreView;
  close(): Promise<void>;
};

/** What the store holds, read past the server and its code. */
export type StoreView = {
  /** Of one task, oldest first. */
  events(taskId: string): Promise<readonly SessionEvent[]>;
  artifacts(taskId: string): Promise<readonly string[]>;
  /** Where something of these tasks is left, in words. */
  traces(taskIds: readonly string[]): Promise<readonly string[]>;
};
