import * as z from 'zod';
import { type AgedObject, type Bucket, HttpFailure, requestTimeoutMs, toAgedObject } from './bucket.js';
import { defined } from '../../util/defined.js';

export type GcsOptions = {
  readonly name: string;
  /** `https://storage.googleapis.com` or an emulator. */
  readonly endpoint: string;
  /** Called before every request, because tokens expire. */
  readonly authorize: () => Promise<Headers>;
};

/** The JSON API of Google Cloud Storage. */
export function gcsBucket({ name, endpoint, authorize }: GcsOptions): Bucket {
  const objects = `${endpoint}/storage/v1/b/${encodeURIComponent(name)}/o`;
  const uploads = `${endpoint}/upload/storage/v1/b/${encodeURIComponent(name)}/o`;
  const objectUrl = (key: string): string => `${objects}/${encodeURIComponent(key)}`;

  const request = (url: string, init?: RequestInit, expected?: readonly number[]): Promise<Response> =>
    send(authorize, url, init, expected);
  const pages = async (query: Record<string, string>): Promise<Listing[]> => {
    const found: Listing[] = [];
    for (let token: string | undefined; ;) {
      const parameters = { ...query, ...defined({ pageToken: token }) };
      const response = await request(`${objects}?${new URLSearchParams(parameters).toString()}`);
      const listing = listingShape.parse(await response.json());
      found.push(listing);
      token = listing.nextPageToken;
      if (token === undefined) return found;
    }
  };

  const getAged = async (key: string): Promise<AgedObject | undefined> => {
    const response = await request(`${objectUrl(key)}?alt=media`, {}, [404]);
    return response.status === 404 ? undefined : toAgedObject(response);
  };

  return {
    async put(key, content, { contentType = 'application/octet-stream', onlyNew = false } = {}) {
      const query = new URLSearchParams({
        uploadType: 'media',
        name: key,
        ...(onlyNew ? { ifGenerationMatch: '0' } : {}),
      });
      const init = { method: 'POST', body: content, headers: { 'content-type': contentType } };
      const { status } = await request(`${uploads}?${query.toString()}`, init, onlyNew ? [412] : []);
      return status !== 412;
    },
    get: async (key) => (await getAged(key))?.content,
    getAged,
    async list(prefix) {
      const listings = await pages({ prefix, fields: 'items(name),nextPageToken' });
      return listings.flatMap(({ items }) => items.map((item) => item.name));
    },
    async folders(prefix) {
      const listings = await pages({ prefix, delimiter: '/', fields: 'prefixes,nextPageToken' });
      return listings.flatMap(({ prefixes }) => prefixes.map((folder) => folder.slice(prefix.length, -1)));
    },
    async delete(key) {
      await request(objectUrl(key), { method: 'DELETE' }, [404]);
    },
  };
}

/** Creates a bucket that only accounts with a role may read, in the default location of the project. */
export async function createGcsBucket({ name, endpoint, authorize }: GcsOptions, project: string): Promise<void> {
  const access = { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: 'enforced' };
  await send(
    authorize,
    `${endpoint}/storage/v1/b?project=${encodeURIComponent(project)}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, iamConfiguration: access }),
    },
    // Another server has just created it.
    [409],
  );
}

async function send(
  authorize: GcsOptions['authorize'],
  url: string,
  init: RequestInit = {},
  expected: readonly number[] = [],
): Promise<Response> {
  const headers = await authorize();
  for (const [header, value] of new Headers(init.headers)) headers.set(header, value);
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(requestTimeoutMs) });
  if (response.ok || expected.includes(response.status)) return response;
  throw new HttpFailure(response.status, await messageOf(response));
}

const listingShape = z.object({
  items: z.array(z.object({ name: z.string() })).default([]),
  prefixes: z.array(z.string()).default([]),
  nextPageToken: z.string().optional(),
});
type Listing = z.infer<typeof listingShape>;

const errorShape = z.object({ error: z.object({ message: z.string() }) });

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return `${errorShape.parse(JSON.parse(text)).error.message} (${response.status})`;
  } catch {
    return `the storage answered ${response.status} ${text.slice(0, 200)}`.trim();
  }
}
