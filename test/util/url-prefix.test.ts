import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { urlPrefix } from '../../src/util/net/url-prefix.js';

const decode = (text: string): string => text.replaceAll(/(?:%[\da-f]{2})+/gi, decodeURIComponent);
const isBelow = (prefix: string, url: string): boolean => urlPrefix(prefix)(new URL(url));

test.each([
  ['http://10.0.0.5', 'http://10.0.0.5/any/path?with=query'],
  ['http://10.0.0.5', 'http://10.0.0.5:80/'],
  ['https://a.example:443/', 'https://a.example/x'],
  ['http://LocalHost:9000', 'http://localhost:9000/x'],
  ['http://a.example', 'http://a.example./x'],
  ['http://a.example.', 'http://a.example/x'],
  ['http://10.0.0.5', 'http://0x0a000005/x'],
  ['http://[::1]:9000', 'http://[0:0:0:0:0:0:0:1]:9000/x'],
  ['http://a/hooks', 'http://a/hooks'],
  ['http://a/hooks/', 'http://a/hooks'],
  ['http://a/hooks', 'http://a/hooks/ci?x=..'],
  ['http://a/hooks', 'http://a/%68ooks/ci'],
  ['http://a/my%20hooks', 'http://a/my hooks/ci'],
  ['http://a/hooks', 'http://a/hooks/../hooks/ci'],
  ['http://a', 'http://a/..%2f'],
])('%s holds %s', (prefix, url) => {
  expect(isBelow(prefix, url)).toBe(true);
});

test.each([
  ['http://10.0.0.5', 'http://10.0.0.50/'],
  ['http://10.0.0.5', 'http://10.0.0.5:8080/'],
  ['http://10.0.0.5', 'https://10.0.0.5/'],
  ['http://10.0.0.5', 'http://10.0.0.5.evil.example/'],
  ['http://10.0.0.5:9', 'http://10.0.0.5:90/'],
  ['http://a.example', 'http://a.example@evil.example/'],
  ['http://a.example', 'http://user@a.example/'],
  ['http://a.example', 'http://a.example../'],
  ['http://a/hooks', 'http://a/hooks-of-others'],
  ['http://a/hooks', 'http://a/'],
  ['http://a/hooks', 'http://a/Hooks'],
  ['http://a/hooks', 'http://a//hooks'],
  ['http://a/hooks', 'http://a/hooks/../admin'],
  ['http://a/hooks', 'http://a/hooks/%2e%2e/admin'],
  ['http://a/hooks', 'http://a/hooks/..%2fadmin'],
  ['http://a/hooks', 'http://a/hooks/..%5cadmin'],
  ['http://a/hooks', 'http://a/hooks/%252e%252e/admin'],
  ['http://a/hooks', 'http://a/hooks/..;/admin'],
  ['http://a/hooks', 'http://a/hooks%2fci'],
])('%s does not hold %s', (prefix, url) => {
  expect(isBelow(prefix, url)).toBe(false);
});

test.each([
  ['', '10.0.0.5', 'localhost:9000', 'http:', 'http:10.0.0.5', 'http:///hooks', 'ftp://a/', 'http://user@a/'],
  ['http://a?x=1', 'http://a#x', 'http://a\\b', 'http://a b/', 'http://a:99999', 'http://a/x%2fy', 'http://a/%zz', '*'],
])('what is no address is refused: %s', (...texts) => {
  for (const text of texts) expect(() => urlPrefix(text)).toThrow(/expected an address like/);
});

describe('whatever is written', () => {
  const hosts = fc.constantFrom('10.0.0.5', '10.0.0.50', 'a.example', 'A.example', 'a.example.', '[::1]', '[0::1]');
  const ports = fc.constantFrom('', ':80', ':443', ':8', ':8080');
  const steps = fc.constantFrom('', 'hooks', '%68ooks', 'hook', 'ci', '.', '..', '%2e%2e', '..%2f', '%2f', '..;', '%');
  const paths = fc.array(steps, { maxLength: 5 }).map((list) => list.map((step) => `/${step}`).join(''));
  const schemes = fc.constantFrom('http', 'https');
  const urls = fc
    .tuple(schemes, hosts, ports, paths)
    .map(([scheme, host, port, path]) => `${scheme}://${host}${port}${path}`);

  test('what is allowed has the origin, and begins with the path, of what allows it', () => {
    fc.assert(
      fc.property(urls, urls, (prefix, text) => {
        const url = new URL(text);
        const base = new URL(prefix);
        let isIn: boolean;
        try {
          isIn = urlPrefix(prefix)(url);
        } catch {
          return;
        }
        if (!isIn) return;
        const plain = ({ origin }: URL): string => origin.replace(/\.(?=:|$)/, '');
        expect(plain(url)).toBe(plain(base));
        // As the most forgiving receiver reads it: decoded twice, parameters dropped, dots resolved.
        const read = decode(decode(url.pathname));
        const resolved = new URL(`http://x${read.replaceAll(/;[^/]*/g, '')}/`).pathname;
        const path = decodeURIComponent(base.pathname).replace(/\/$/, '');
        if (path !== '') expect(resolved.startsWith(`${path}/`)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('an address holds itself and what is appended to it', () => {
    fc.assert(
      fc.property(
        schemes,
        hosts,
        ports,
        fc.array(fc.constantFrom('hooks', 'ci', 'a b'), { maxLength: 3 }),
        (...given) => {
          const [scheme, host, port, path] = given;
          const prefix = [`${scheme}://${host}${port}`, ...path.map(encodeURIComponent)].join('/');
          expect(isBelow(prefix, prefix)).toBe(true);
          expect(isBelow(prefix, `${prefix}/more?x=y`)).toBe(true);
        },
      ),
    );
  });
});
