/// <reference types="node" />
// Preloaded into s3rver, which answers a PUT before its file is written: a reader would get an empty file, or the old one.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';

/**
 * @typedef {{ bucket: string, key: string, content: Buffer | import('node:stream').Readable, metadata: object }} S3Object
 * @typedef {{
 *   getResourcePath(bucket: string, key: string, kind: 'object'): string,
 *   putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>,
 *   putObject(object: S3Object): Promise<{ size: number, md5: string }>,
 * }} Store
 */

// oxlint-disable-next-line typescript/no-unsafe-assignment -- has no types
const /** @type {{ prototype: Store }} */ { prototype } = createRequire(import.meta.url)(
    's3rver/lib/stores/filesystem',
  );

/** @this {Store} @param {S3Object} object */
prototype.putObject = async function putObject({ bucket, key, content: given, metadata }) {
  const content = Buffer.isBuffer(given) ? given : await buffer(given);
  const file = this.getResourcePath(bucket, key, 'object');
  const unfinished = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(unfinished, content);
  await rename(unfinished, file);
  const md5 = createHash('md5').update(content).digest('hex');
  await this.putMetadata(bucket, key, metadata, md5);
  return { size: content.length, md5 };
};
