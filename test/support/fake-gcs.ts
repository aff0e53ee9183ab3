import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer } from '../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

type StoredObject = {
  readonly content: Buffer;
  readonly contentType: string;
  readonly generation: number;
  readonly at: number;
};
type Answer = { readonly status: number; readonly json?: unknown; readonly object?: StoredObject };
type Asked = { readonly query: URLSearchParams; readonly headers: IncomingMessage['headers']; readonly body: Buffer };

export type FakeGcs = {
  readonly url: string;
  /** Answers the next requests with this status instead. */
  failNext(status: number, count: number): void;
  /** Lets so many deletions through and refuses the others. */
  refuseDeletionsAfter(count: number): void;
  /** What was asked for, method and path. */
  readonly requests: string[];
  contentOf(bucket: string, name: string): string | undefined;
  namesIn(bucket: string): string[];
  createBucket(name: string): void;
  close(): Promise<void>;
};

export type FakeGcsOptions = {
  readonly pageSize?: number;
  /** Without it everybody is let in, as by Google's emulator. */
  readonly token?: string;
  /** What time it is for the storage, in milliseconds. */
  readonly clock?: () => number;
};

/**
 * The part of the Cloud Storage JSON API that the store uses, as strict as the real one: whatever it does not know is
 * refused. See https://cloud.google.com/storage/docs/json_api/v1. Pages are short, so that clients must turn them.
 */
export async function startFakeGcs({ pageSize = 7, token, clock = Date.now }: FakeGcsOptions = {}): Promise<FakeGcs> {
  const buckets = new Map<string, Map<string, StoredObject>>();
  const requests: string[] = [];
  let failures = { status: 0, count: 0 };
  let deletionsLeft = Infinity;
  let generation = 1_700_000_000_000_000;

  const upload = (bucket: string, { query, headers, body }: Asked): Answer => {
    const objects = buckets.get(bucket);
    if (objects === undefined) return failure(404, 'The specified bucket does not exist.');
    const name = query.get('name') ?? '';
    if (query.get('uploadType') !== 'media' || name === '' || Buffer.byteLength(name) > 1024) {
      return failure(400, 'Required parameter: uploadType=media and a name of 1 to 1024 bytes');
    }
    const match = query.get('ifGenerationMatch');
    if (match !== null && match !== String(objects.get(name)?.generation ?? 0)) {
      return failure(412, 'At least one of the pre-conditions you specified did not hold.');
    }
    const object = { content: body, contentType: headers['content-type'] ?? '', generation: ++generation, at: clock() };
    objects.set(name, object);
    return { status: 200, json: resourceOf(bucket, name, object) };
  };

  const list = (bucket: string, { query }: Asked): Answer => {
    const objects = buckets.get(bucket);
    if (objects === undefined) return failure(404, 'The specified bucket does not exist.');
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter');
    const entries = new Set<string>();
    for (const name of [...objects.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
      if (!name.startsWith(prefix)) continue;
      const end = delimiter === null ? -1 : name.indexOf(delimiter, prefix.length);
      entries.add(end < 0 ? name : name.slice(0, end + 1));
    }
    const start = Number(Buffer.from(query.get('pageToken') ?? '', 'base64url').toString() || '0');
    const page = [...entries].slice(start, start + pageSize);
    const names = page.filter((entry) => objects.has(entry));
    const prefixes = page.filter((entry) => !objects.has(entry));
    const next =
      start + pageSize < entries.size ? Buffer.from(String(start + pageSize)).toString('base64url') : undefined;
    // The API leaves empty lists out.
    return {
      status: 200,
      json: {
        kind: 'storage#objects',
        ...(names.length > 0 ? { items: names.map((name) => ({ name })) } : {}),
        ...(prefixes.length > 0 ? { prefixes } : {}),
        ...(next === undefined ? {} : { nextPageToken: next }),
      },
    };
  };

  const createBucket = ({ query, body }: Asked): Answer => {
    const { name } = JSON.parse(body.toString()) as { name: string };
    if (!query.get('project')) return failure(400, 'Required parameter: project');
    if (buckets.has(name)) return failure(409, 'Your previous request to create the named bucket succeeded.');
    buckets.set(name, new Map());
    return { status: 200, json: { kind: 'storage#bucket', name } };
  };

  const oneObject = (method: string, bucket: string, name: string, { query }: Asked): Answer => {
    const object = buckets.get(bucket)?.get(name);
    if (object === undefined) return failure(404, `No such object: ${bucket}/${name}`);
    if (method === 'GET') {
      return query.get('alt') === 'media'
        ? { status: 200, object }
        : { status: 200, json: resourceOf(bucket, name, object) };
    }
    if (deletionsLeft-- <= 0) return failure(403, 'You may not delete.');
    buckets.get(bucket)?.delete(name);
    return { status: 204 };
  };

  const answer = (method: string, path: string, asked: Asked): Answer => {
    const allowed = (...names: string[]): boolean => [...asked.query.keys()].every((name) => names.includes(name));
    const [, bucket = '', name] = /^\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(path) ?? [];
    const [, uploadBucket] = /^\/upload\/storage\/v1\/b\/([^/]+)\/o$/.exec(path) ?? [];
    if (method === 'POST' && uploadBucket !== undefined && allowed('uploadType', 'name', 'ifGenerationMatch')) {
      return upload(uploadBucket, asked);
    }
    if (method === 'POST' && path === '/storage/v1/b' && allowed('project')) return createBucket(asked);
    if (['GET', 'DELETE'].includes(method) && name !== undefined && allowed('alt')) {
      return oneObject(method, bucket, decodeURIComponent(name), asked);
    }
    if (
      method === 'GET' &&
      bucket !== '' &&
      name === undefined &&
      allowed('prefix', 'delimiter', 'pageToken', 'fields')
    ) {
      return list(bucket, asked);
    }
    return failure(400, `not understood: ${method} ${path}?${asked.query.toString()}`);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Paths are not parsed as a url: that would join segments such as `..`.
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const asked = { query: new URLSearchParams(query), headers: request.headers, body: await buffer(request) };
    requests.push(`${request.method} ${path}`);
    const isKnown = token === undefined || request.headers.authorization === `Bearer ${token}`;
    const given =
      failures.count-- > 0
        ? failure(failures.status, 'try again')
        : isKnown
          ? answer(request.method ?? '', path, asked)
          : failure(401, 'Invalid Credentials');
    const { status, json, object } = given;
    if (object) {
      const [date, modified] = [clock(), object.at].map((ms) => new Date(ms).toUTCString());
      const headers = { 'content-type': object.contentType, date, 'last-modified': modified };
      response.writeHead(status, headers).end(object.content);
    } else
      response.writeHead(status, { 'content-type': 'application/json' }).end(json ? JSON.stringify(json) : undefined);
  };

  const server = createServer((request, response) => void handle(request, response));
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    failNext: (status, count) => void (failures = { status, count }),
    refuseDeletionsAfter: (count) => void (deletionsLeft = count),
    contentOf: (bucket, name) => buckets.get(bucket)?.get(name)?.content.toString(),
    namesIn: (bucket) => [...(buckets.get(bucket)?.keys() ?? [])],
    createBucket: (name) => void buckets.set(name, new Map()),
    close: () => closeServer(server),
  };
}

function resourceOf(bucket: string, name: string, { content, contentType, generation }: StoredObject): object {
  return {
    kind: 'storage#object',
    bucket,
    name,
    contentType,
    size: String(content.length),
    generation: String(generation),
  };
}

function failure(code: number, message: string): Answer {
  return { status: code, json: { error: { code, message, errors: [{ message, domain: 'global' }] } } };
}
