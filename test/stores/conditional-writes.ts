import { expect, test } from 'vitest';
import type { Store } from '../../src/stores/store.js';
import { eventOf } from './samples.js';

export type ConditionalPlace = {
  readonly open: () => Promise<Store>;
  /** What the storage was asked for, method and path. */
  readonly requests: string[];
};

/** What a bucket whose storage can refuse to replace an object does besides the contract. */
export function conditionalWrites(name: string, newPlace: () => ConditionalPlace): void {
  test(`${name}: an event is one request, for the storage itself refuses to replace one`, async () => {
    const { open, requests } = newPlace();
    const store = await open();
    requests.length = 0;
    await store.append(eventOf('s', 1));
    expect(requests).toHaveLength(1);
    await store.close();
  });

  test(`${name}: of two servers that store the same event in the same moment one is refused`, async () => {
    const { open } = newPlace();
    const stores = [await open(), await open()];
    const appended = await Promise.allSettled(
      stores.map((store, index) => store.append({ ...eventOf('s', 1), at: `time ${index}` })),
    );
    expect(appended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const winner = appended.findIndex(({ status }) => status === 'fulfilled');
    expect(await stores[0]?.read('s', 0, 9)).toEqual([{ ...eventOf('s', 1), at: `time ${winner}` }]);
    await Promise.all(stores.map((store) => store.close()));
  });
}
