import { AwsClient } from 'aws4fetch';
import { type AgedObject, type Bucket, HttpFailure, requestTimeoutMs, toAgedObject } from './bucket.js';
import { defined } from '../../util/defined.js';

export type S3Options = {
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/** The S3 API with path-style URLs (`<endpoint>/<bucket>/<key>`), which every implementation supports. */
export function s3Bucket({ name, endpoint, ...credentials }: S3Options): Bucket {
  // Callers of the bucket do the retries.
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });
  const root = `${endpoint.replace(/\/+$/, '')}/${name}`;
  const urlOf = (key: string): string => `${root}/${key.split('/').map(encodeURIComponent).join('/')}`;

  const request = async (url: string, init: RequestInit = {}, expected: readonly number[] = []): Promise<Response> => {
    const response = await client.fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) });
    if (response.ok || expected.includes(response.status)) return response;
    throw new HttpFailure(response.status, await messageOf(response));
  };
  const pages = async (query: Record<string, string>): Promise<string[]> => {
    const found: string[] = [];
    for (let token: string | undefined; ;) {
      const parameters = {
        'list-type': '2',
        ...query,
        ...defined({ 'continuation-token': token }),
      };
      const xml = await (await request(`${root}?${new URLSearchParams(parameters).toString()}`)).text();
      found.push(xml);
      token = textsOf(xml, 'NextContinuationToken')[0];
      if (token === undefined) return found;
    }
  };

  const getAged = async (key: string): Promise<AgedObject | undefined> => {
    const response = await request(urlOf(key), {}, [404]);
    if (response.status !== 404) return toAgedObject(response);
    const message = await messageOf(response);
    if (message.includes('NoSuchBucket')) throw new HttpFailure(404, message);
    return undefined;
  };

  return {
    async put(key, content, { contentType = 'application/octet-stream', onlyNew = false } = {}) {
      const headers = { 'content-type': contentType, ...(onlyNew ? { 'if-none-match': '*' } : {}) };
      const { status } = await request(urlOf(key), { method: 'PUT', body: content, headers }, onlyNew ? [412] : []);
      return status !== 412;
    },
    get: async (key) => (await getAged(key))?.content,
    getAged,
    async list(prefix) {
      return (await pages({ prefix })).flatMap((xml) => textsOf(xml, 'Key'));
    },
    async folders(prefix) {
      const listings = await pages({ prefix, delimiter: '/' });
      return listings
        .flatMap((xml) => textsOf(xml, 'CommonPrefixes'))
        .flatMap((common) => textsOf(common, 'Prefix'))
        .map((folder) => folder.slice(prefix.length, -1));
    },
    async delete(key) {
      await request(urlOf(key), { method: 'DELETE' }, [404]);
    },
  };
}

async function messageOf(response: Response): Promise<string> {
  const xml = await response.text();
  const [code = ''] = textsOf(xml, 'Code');
  const [message = `the storage answered ${response.status}`] = textsOf(xml, 'Message');
  return `${message} (${code === '' ? response.status : code})`;
}

/** S3 responses are flat lists of elements without attributes. Our keys contain no entities, but tokens may. */
function textsOf(xml: string, element: string): string[] {
  const matches = xml.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'));
  return [...matches].map(([, text = '']) => (element === 'CommonPrefixes' ? text : unescapeXml(text)));
}

function unescapeXml(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');
}
