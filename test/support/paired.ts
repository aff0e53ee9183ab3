import { ask, type Reply } from './ask.js';

/** Both halves of a pairing, as a browser holds them. */
export type Halves = { readonly cookie: string; readonly page: string };

/** A browser as far as its requests go: it sends JSON, and the halves that it has. */
export function browserAt(base: string, halves: Partial<Halves> = {}, more: NodeJS.Dict<string> = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(halves.cookie === undefined ? {} : { cookie: halves.cookie }),
    ...(halves.page === undefined ? {} : { 'x-cosession-page': halves.page }),
    ...more,
  };
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Reply & { json: Record<string, unknown> }> => {
    const reply = await ask(`${base}${path}`, headers, method, body);
    const text = reply.body.toString();
    return { ...reply, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown = {}) => call('POST', path, body),
    remove: (path: string) => call('DELETE', path),
  };
}

/** Pairs a browser: `sharer` makes the code, a browser without anything uses it. */
export async function pair(
  base: string,
  sharer: ReturnType<typeof browserAt>,
  wish: { role: string; expiresIn?: number; taskId?: string },
  name?: string,
): Promise<Halves> {
  const { json } = await sharer.post('/ui/share', wish);
  const paired = await browserAt(base).post('/ui/pair', {
    code: json['code'],
    ...(name === undefined ? {} : { name }),
  });
  if (paired.status !== 200) throw new Error(`not paired: ${paired.status} ${paired.body.toString()}`);
  const [cookie = ''] = String(paired.headers['set-cookie']).split(';');
  return { cookie, page: String(paired.json['page']) };
}
