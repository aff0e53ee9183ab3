import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../../src/stores/open.js';
import { s3Bucket } from '../../../../src/stores/bucket/s3-bucket.js';
import type { Store } from '../../../../src/stores/store.js';
import { startS3 } from '../../s3-server.js';
import { startStrictS3 } from '../../strict-s3.js';
import { busy } from '../outages/busy.js';
import type { ChaosStore, StoreView } from './store.js';

const keys = { region: 'eu-central-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Object storage that sometimes has too much to do. */
export async function s3Store(): Promise<ChaosStore> {
  const names = Array.from({ length: 100 }, (_, index) => `chaos-${index}`);
  const folder = mkdtempSync(join(tmpdir(), 'cosession-s3-'));
  const server = await startS3(names, folder);
  const strict = await startStrictS3({ target: server.url, ...keys });
  return {
    async newPlace(stateDir) {
      const name = names.pop() ?? '';
      const env = {
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
        AWS_REGION: keys.region,
        AWS_ENDPOINT_URL_S3: strict.url,
      };
      const open = (): Promise<Store> => openStore(`s3://${name}`, { stateDir, env });
      return {
        args: ['--store', `s3://${name}`],
        env,
        outages: [busy(strict)],
        view: viewOf(open, s3Bucket({ name, endpoint: server.url, ...keys })),
        async close() {},
      };
    },
    async close() {
      await strict.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Events are spread over segments that only the store's own code can put together; what is left of a task is in its keys. */
function viewOf(open: () => Promise<Store>, bucket: ReturnType<typeof s3Bucket>): StoreView {
  const read = async <T>(from: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open();
    try {
      return await from(store);
    } finally {
      await store.close();
    }
  };
  return {
    events: (taskId) => read((store) => store.read(taskId, 0, 1_000_000)),
    artifacts: async (taskId) => (await read((store) => store.artifacts(taskId))).map(({ name }) => name),
    async traces(taskIds) {
      const all = await bucket.list('');
      return all.filter((key) => taskIds.some((id) => key.split('/').includes(id)));
    },
  };
}
