import type { Checklist } from '../../support/checklist.js';
import type { Place } from '../../support/open-conformance-agent.js';
import type { Transport, TransportName } from '../../support/a2a/transport.js';

/** One requirement of the specification, checked on every transport and version that has what it is about. */
export type Line = {
  readonly section: string;
  readonly says: string;
  /** Where the specification has no such thing, or we deviate, and why. */
  readonly not?: Partial<Readonly<Record<TransportName, string>>>;
  /** Where the product has what it is about; without it everywhere. */
  readonly only?: Place;
  readonly check: (on: Transport, checklist: Checklist) => Promise<void>;
};
