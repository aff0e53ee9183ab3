import { type BucketStoreOptions, openBucketStore } from './bucket-store.js';
import { s3Bucket } from './s3-bucket.js';
import type { Store } from '../store.js';
import { defined } from '../../util/defined.js';

/** Any S3 API, configured by the environment variables of Amazon's own tools. */
export async function openS3Store(
  name: string,
  env: NodeJS.ProcessEnv,
  server: string,
  options: BucketStoreOptions = {},
): Promise<Store> {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
  }
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'] ?? `https://s3.${region}.amazonaws.com`;
  return openBucketStore(
    s3Bucket({
      name,
      endpoint,
      region,
      accessKeyId,
      secretAccessKey,
      ...defined({ sessionToken }),
    }),
    server,
    options,
  );
}
