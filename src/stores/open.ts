import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { BucketStoreOptions } from './bucket/bucket-store.js';
import { memoryStore } from './memory.js';
import type { Store } from './store.js';
import { storePlace } from './store-place.js';

export type OpenStoreOptions = {
  /** Where `sqlite:` without a path keeps its file. */
  readonly stateDir: string;
  /** Credentials and addresses of the drivers. */
  readonly env: NodeJS.ProcessEnv;
  /** The name of this server among those that share the store; random by default. */
  readonly server?: string;
  readonly bucket?: BucketStoreOptions;
};

/** The forms of `--store`. */
const forms =
  'memory:, sqlite:, sqlite:<file>, postgres://<user>:<password>@<host>/<database>, gcs://<bucket>, s3://<bucket>';

/** Opens the store at a URL and loads only its driver. Rejects with one sentence that says what to change. */
export async function openStore(url: string, options: OpenStoreOptions): Promise<Store> {
  const { stateDir, env, server = randomUUID(), bucket: bucketOptions } = options;
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):(.*)$/s.exec(url) ?? [];
  switch (scheme) {
    case 'memory':
      return memoryStore();
    case 'sqlite': {
      const { openSqliteStore } = await import('./sqlite/sqlite.js');
      const file = rest === '' ? join(stateDir, 'tasks.db') : resolve(rest.replace(/^\/\/(?=\/)/, ''));
      return opened(file, () => openSqliteStore(file, server));
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgresStore } = await import('./postgres/postgres.js');
      checkEncoded(url);
      return opened(storePlace(url), () => openPostgresStore(url, server));
    }
    case 'gcs': {
      const { openGcsStore } = await import('./bucket/gcs.js');
      const given = bucketOf(rest);
      if (given === undefined) break;
      const bucket = given || env['A2A_GCS_BUCKET'] || env['GCS_BUCKET_NAME'] || 'gemini-cli-a2a-tasks';
      return opened(`gcs://${bucket}`, () => openGcsStore(bucket, env, server, bucketOptions));
    }
    case 's3': {
      const { openS3Store } = await import('./bucket/s3.js');
      const bucket = bucketOf(rest);
      if (!bucket) break;
      return opened(`s3://${bucket}`, () => openS3Store(bucket, env, server, bucketOptions));
    }
    default:
      break;
  }
  throw new Error(`--store must be one of ${forms}, not ${JSON.stringify(storePlace(url))}`);
}

/** The bucket name: empty if there is none, undefined if it is not valid. */
function bucketOf(rest: string): string | undefined {
  return rest === '' ? '' : /^\/\/([\w.-]*)\/?$/.exec(rest)?.[1];
}

async function opened(place: string, open: () => Promise<Store>): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    throw new Error(`the store ${place} cannot be opened: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  // `fetch` hides why it failed.
  if (error instanceof TypeError && error.cause instanceof Error) return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

/** Otherwise part of the password is parsed as the host, and the "host not found" error reveals it. */
function checkEncoded(url: string): void {
  if (URL.canParse(url) && new URL(url).pathname.includes('@'))
    throw new Error('--store: user and password must be percent-encoded, for instance "/" as %2F and "@" as %40');
}
