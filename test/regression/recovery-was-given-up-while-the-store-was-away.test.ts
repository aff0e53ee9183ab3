import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../src/domain/errors.js';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { Claims } from '../../src/tasks/claims.js';
import { Recovery } from '../../src/tasks/recovery.js';
import { prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { manualRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const workspace = temporaryFolder();

/** A server that has died with an open question, and another one on its store that has not looked yet. */
async function afterADeath() {
  const url = `sqlite:${join(temporaryFolder(), 'tasks.db')}`;
  const open = async (server: string) => {
    const store: Store = await openStore(url, { stateDir: '/nowhere', env: {}, server });
    const claims = new Claims({ store, leaseMs: 30_000, isDead: (id) => id === 'dead', onError: () => {} });
    return { store, claims, ...manualRegistry({ workspace, store, claims }) };
  };
  const dead = await open('dead');
  await dead.store.saveServer({ leaseMs: 30_000 });
  const session = await dead.registry.open('one');
  session.submit(prompt('go'));
  dead.engine('one').report({ type: 'tool', call: waitingShell() });
  await session.stored();
  const heir = await open('heir');
  const errors: unknown[] = [];
  const recovery = new Recovery({
    scan: () => heir.registry.recover(),
    isOver: () => heir.registry.isClosing,
    onError: (error) => errors.push(error),
    waitMs: 1,
  });
  return { heir, recovery, errors, close: () => Promise.all([heir.registry.close(0), dead.registry.close(0)]) };
}

/** Whatever asks the store for this is refused so many times. */
function refuse(store: Store, name: 'tasks' | 'holder' | 'claim' | 'task', times: number): void {
  const working = store[name] as (...given: unknown[]) => Promise<unknown>;
  let left = times;
  Object.assign(store, {
    [name]: (...given: unknown[]) =>
      left-- > 0
        ? Promise.reject(new AppError('store-unavailable', 'the store does not answer'))
        : working.apply(store, given),
  });
}

test.each(['tasks', 'holder', 'claim', 'task'] as const)(
  'what a dead server left is recovered, although the store was away when it was asked for: %s',
  async (name) => {
    const { heir, recovery, errors, close } = await afterADeath();
    refuse(heir.store, name, 2);
    await heir.claims.start({ onGone: () => recovery.start(), onLapse: async () => {} });
    await until(() => heir.engines.has('one'));
    expect((await heir.registry.get('one'))?.snapshot).toMatchObject({ pending: [{ id: 'call-1' }] });
    expect(errors).toMatchObject([{ code: 'store-unavailable' }, { code: 'store-unavailable' }]);
    await close();
  },
);
