import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip';

/** A file of the page, as it is sent. */
export type PageFile = {
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content, so browsers may keep it for good. */
  readonly isImmutable: boolean;
  readonly plain: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
};

/** By name: `index.html`, `chunks/list-3K5PQ2WD.js`. A name is only a key, so no path can lead out of the folder. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
};

/** Beside the bundle, which is in `dist` or `dist/chunks`; the sources are two folders deeper. */
const places = ['./web/', '../web/', '../../../dist/web/'];

/** The built page, read at the first request: a session that nobody opens in a browser keeps none of it in memory. */
export function pageFiles(): () => PageFiles {
  let files: PageFiles | undefined;
  return () => {
    if (files) return files;
    const folder = places.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place));
    return (files = folder ? readFiles(folder) : new Map());
  };
}

export function readFiles(folder: URL): PageFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const read = (name: string): Buffer => readFileSync(fileURLToPath(new URL(name, folder)));
  return new Map(
    names.flatMap((name) => {
      const type = types[name.split('.').at(-1) ?? ''];
      if (type === undefined) return [];
      const plain = read(name);
      const encoded = {
        ...(names.includes(`${name}.br`) && { br: read(`${name}.br`) }),
        ...(names.includes(`${name}.gz`) && { gzip: read(`${name}.gz`) }),
      };
      // Weak, because the same file is sent in several encodings.
      const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`;
      return [[name, { type, etag, plain, encoded, isImmutable: name.startsWith('chunks/') }]];
    }),
  );
}
