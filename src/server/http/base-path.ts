import type { IncomingMessage, Server } from 'node:http';
import type { RequestHandler } from 'express';

/** The path of an address without its last slash: `/agents` for `https://example.com/agents/`. */
export function basePathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}

/**
 * Some proxies pass the path of `--public-url` on, others remove it. So it is removed here if it is still there. Must be
 * called before anything else listens to the server.
 */
export function removeBasePath(server: Server, base: string): void {
  if (base === '') return;
  const remove = (request: IncomingMessage): void => {
    const { url = '' } = request;
    if (url.startsWith(`${base}/`)) request.url = url.slice(base.length);
  };
  server.on('request', remove);
  server.on('upgrade', remove);
}

/** `/agents` without its slash: clients post to it, and browsers need the slash to find what a page refers to. */
export function atBasePath(base: string): RequestHandler {
  return (request, response, next) => {
    if (request.path !== base) return next();
    if (request.method === 'GET') return response.redirect(308, `${base}/`);
    request.url = request.url.slice(base.length).replace(/^(?!\/)/, '/');
    return next();
  };
}

/** Throws if the path is one of our own, because then nobody could tell them apart. */
export function checkBasePath(base: string, routes: readonly { readonly path: string }[]): void {
  const [, first] = base.split('/');
  if (first === undefined || !['ws', ...routes.map(({ path }) => path.split('/')[1])].includes(first)) return;
  throw new Error(`--public-url: /${first} is a path of this server itself; choose another one`);
}
