import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer } from '../../src/util/net/close-server.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

export type StrictS3 = {
  readonly url: string;
  /** What was asked for and let through, method and path. */
  readonly requests: string[];
  /** It has too much to do, and answers 503. */
  isBusy: boolean;
  close(): Promise<void>;
};

export type StrictS3Options = {
  /** The S3 server behind it, which trusts everybody. */
  readonly target: string;
  readonly region: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    [this.status, this.code] = [status, code];
  }
}

/**
 * Amazon's doorman before an S3 server that has none: every request is signed (AWS Signature Version 4, computed here from
 * its description in https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), and `If-None-Match: *`
 * replaces nothing.
 */
export async function startStrictS3(options: StrictS3Options): Promise<StrictS3> {
  const requests: string[] = [];
  // One after the other: whether an object is there and its writing are one step.
  let turn: Promise<unknown> = Promise.resolve();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const answered = turn.then(() => {
      if (strict.isBusy) throw new Refusal(503, 'SlowDown');
      return answer(request, body, options);
    });
    turn = answered.catch(() => {});
    try {
      const { status, type, modified, content } = await answered;
      requests.push(`${request.method} ${request.url?.split('?')[0]}`);
      response.writeHead(status, { 'content-type': type, ...modified }).end(content);
    } catch (error) {
      const { status, code } = error instanceof Refusal ? error : new Refusal(500, String(error));
      const xml = `<Error><Code>${code}</Code><Message>refused</Message></Error>`;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  const port = await listenOnLoopback(server, 0);
  const strict: StrictS3 = {
    url: `http://127.0.0.1:${port}`,
    requests,
    isBusy: false,
    close: () => closeServer(server),
  };
  return strict;
}

async function answer(request: IncomingMessage, body: Buffer, options: StrictS3Options) {
  checkSignature(request, body, options);
  const { method = '', url = '', headers } = request;
  const target = options.target + url;
  if (method === 'PUT' && headers['if-none-match'] !== undefined) {
    if (headers['if-none-match'] !== '*') throw new Refusal(501, 'NotImplemented');
    if ((await fetch(target, { method: 'HEAD' })).ok) throw new Refusal(412, 'PreconditionFailed');
  }
  const type = headers['content-type'];
  const response = await fetch(target, {
    method,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(method === 'PUT' ? { body } : {}),
  });
  const content = Buffer.from(await response.arrayBuffer());
  const at = response.headers.get('last-modified');
  const modified = at === null ? {} : { 'last-modified': at };
  return { status: response.status, type: response.headers.get('content-type') ?? '', modified, content };
}

const algorithm = 'AWS4-HMAC-SHA256';

function checkSignature({ method, url = '', headers }: IncomingMessage, body: Buffer, options: StrictS3Options): void {
  const [, scope = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const at = String(headers['x-amz-date']);
  const payload = String(headers['x-amz-content-sha256']);
  const names = signed.split(';');
  if (scope !== `${at.slice(0, 8)}/${options.region}/s3/aws4_request`)
    throw new Refusal(400, 'AuthorizationHeaderMalformed');
  if (Math.abs(Date.now() - timeOf(at)) > 15 * 60_000) throw new Refusal(403, 'RequestTimeTooSkewed');
  if (headers['x-amz-security-token'] !== options.sessionToken) throw new Refusal(403, 'InvalidToken');
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  const needed = [
    'host',
    ...Object.keys(headers).filter((name) => name.startsWith('x-amz-') || name.startsWith('if-')),
  ];
  if (needed.some((name) => !names.includes(name))) throw new Refusal(403, 'AccessDenied');

  const { pathname, searchParams } = new URL(url, 'http://s3');
  const canonical = [
    method,
    pathname
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/'),
    [...searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    payload,
  ].join('\n');
  const keys = [at.slice(0, 8), options.region, 's3', 'aws4_request'];
  const key = keys.reduce<string | Buffer>(
    (secret, text) => hmac(secret, text).digest(),
    `AWS4${options.secretAccessKey}`,
  );
  const expected = hmac(key, [algorithm, at, scope, sha256(canonical)].join('\n')).digest('hex');
  if (signature !== expected) throw new Refusal(403, 'SignatureDoesNotMatch');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function timeOf(basic: string): number {
  return Date.parse(basic.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text);
}
