import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Encoding, PageFile } from './page-files.js';
import { pageHeaders } from './page-headers.js';

const year = 31_536_000;

/** Sends a file of the page, compressed if the browser takes that, or says that the browser has it already. */
export function sendFile(file: PageFile, headers: IncomingHttpHeaders, response: ServerResponse): void {
  const encoding = encodingFor(file, [headers['accept-encoding'] ?? []].flat().join());
  const body = encoding === undefined ? file.plain : file.encoded[encoding];
  const isKnown = (headers['if-none-match'] ?? '').includes(file.etag);
  response.setHeaders(
    new Map(
      Object.entries({
        // Checked by the guard, so it is one of our own names.
        ...pageHeaders(headers.host ?? ''),
        'content-type': file.type,
        etag: file.etag,
        vary: 'accept-encoding',
        'cache-control': file.isImmutable ? `public, max-age=${year}, immutable` : 'no-cache',
        ...(encoding !== undefined && { 'content-encoding': encoding }),
        ...(!isKnown && { 'content-length': String(body?.length ?? 0) }),
      }),
    ),
  );
  response.statusCode = isKnown ? 304 : 200;
  response.end(isKnown ? undefined : body);
}

function encodingFor({ encoded }: PageFile, accepted: string): Encoding | undefined {
  const names = accepted.split(',').flatMap((part) => {
    const [name = '', ...rules] = part.split(';').map((text) => text.trim().toLowerCase());
    return rules.some((rule) => /^q=0(?:\.0*)?$/.test(rule)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((name) => encoded[name] && names.includes(name));
}
