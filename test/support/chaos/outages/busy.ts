import type { StrictS3 } from '../../strict-s3.js';
import type { Outage } from './outage.js';

/** The storage answers everything with 503. */
export function busy(storage: StrictS3): Outage {
  return {
    name: '503',
    canLast: true,
    async begin() {
      storage.isBusy = true;
      return async () => void (storage.isBusy = false);
    },
  };
}
