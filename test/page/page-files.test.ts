import { createServer, type Server } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PageFiles, readFiles } from '../../src/server/page/page-files.js';
import { sendFile } from '../../src/server/page/send-file.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { ask } from '../support/ask.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const script = 'export const words = "the same words again and again and again and again";';
let files: PageFiles;
let server: Server;
let base = '';

beforeAll(async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'chunks'));
  for (const name of ['main.js', 'chunks/list-3K5PQ2WD.js']) {
    writeFileSync(join(folder, name), script);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(script));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(script));
  }
  writeFileSync(join(folder, 'icon.png'), 'not compressed');
  writeFileSync(join(folder, 'notes.txt'), 'no part of the page');
  files = readFiles(pathToFileURL(`${folder}/`));
  server = createServer(({ url = '', headers }, response) => {
    const file = files.get(url.slice(1));
    if (file) sendFile(file, headers, response);
    else response.writeHead(404).end();
  });
  base = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
});
afterAll(() => server.close());

test('only files of known types are part of the page', () => {
  expect([...files.keys()].toSorted()).toEqual(['chunks/list-3K5PQ2WD.js', 'icon.png', 'main.js']);
});

test.each([
  ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
  ['gzip', 'gzip, br;q=0', gunzipSync],
  [undefined, 'identity', (bytes: Buffer) => bytes],
])('a browser gets the encoding that it takes: %s', async (encoding, accepted, decode) => {
  const { status, headers, body } = await ask(`${base}/main.js`, { 'accept-encoding': accepted });
  expect(status).toBe(200);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['content-length']).toBe(String(body.length));
  expect(decode(body).toString()).toBe(script);
});

test('a file that has no compressed form is sent as it is', async () => {
  const { headers, body } = await ask(`${base}/icon.png`, { 'accept-encoding': 'br' });
  expect(headers).toMatchObject({ 'content-type': 'image/png' });
  expect(headers['content-encoding']).toBeUndefined();
  expect(body.toString()).toBe('not compressed');
});

test('a browser that has the file gets no body', async () => {
  const { headers } = await ask(`${base}/main.js`);
  const again = await ask(`${base}/main.js`, { 'if-none-match': `"other", ${String(headers['etag'])}` });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect((await ask(`${base}/main.js`, { 'if-none-match': '"other"' })).status).toBe(200);
});

test('only files with a hash in their name are kept for good', async () => {
  const cached = async (name: string): Promise<unknown> => (await ask(`${base}/${name}`)).headers['cache-control'];
  expect(await cached('main.js')).toBe('no-cache');
  expect(await cached('chunks/list-3K5PQ2WD.js')).toBe('public, max-age=31536000, immutable');
});

test('every file comes with a strict policy', async () => {
  const { headers } = await ask(`${base}/main.js`);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  const policy = String(headers['content-security-policy']);
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", 'trusted-types service-worker'])
    expect(policy).toContain(rule);
  expect(policy).not.toContain('unsafe');
});
