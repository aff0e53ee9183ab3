import { GoogleAuth } from 'google-auth-library';
import { type BucketStoreOptions, openBucketStore } from './bucket-store.js';
import { HttpFailure } from './bucket.js';
import { createGcsBucket, gcsBucket, type GcsOptions } from './gcs-bucket.js';
import type { Store } from '../store.js';

const scope = 'https://www.googleapis.com/auth/devstorage.read_write';

/** Google Cloud Storage with application default credentials, or an emulator without credentials. */
export async function openGcsStore(
  name: string,
  env: NodeJS.ProcessEnv,
  server: string,
  storeOptions: BucketStoreOptions = {},
): Promise<Store> {
  const emulator = env['STORAGE_EMULATOR_HOST'];
  const options: GcsOptions =
    emulator === undefined
      ? { name, endpoint: 'https://storage.googleapis.com', authorize: googleAuthorization() }
      : { name, endpoint: withScheme(emulator), authorize: async () => new Headers() };
  const project = env['GOOGLE_CLOUD_PROJECT'];
  try {
    return await openBucketStore(gcsBucket(options), server, storeOptions);
  } catch (error) {
    if (!(error instanceof HttpFailure && error.status === 404)) throw error;
    if (project === undefined) {
      throw new Error(`there is no bucket ${name}; set GOOGLE_CLOUD_PROJECT to create it`, { cause: error });
    }
    await createGcsBucket(options, project);
    return openBucketStore(gcsBucket(options), server, storeOptions);
  }
}

/** The key file of GOOGLE_APPLICATION_CREDENTIALS, the login of `gcloud`, or the machine's own account. */
export function googleAuthorization(): () => Promise<Headers> {
  const auth = new GoogleAuth({ scopes: [scope] });
  // Service accounts sign their own tokens, as in Google's own clients: one request less.
  auth.useJWTAccessWithScope = true;
  return async () => new Headers(await auth.getRequestHeaders('https://storage.googleapis.com/'));
}

function withScheme(host: string): string {
  return (/^https?:\/\//.test(host) ? host : `http://${host}`).replace(/\/+$/, '');
}
