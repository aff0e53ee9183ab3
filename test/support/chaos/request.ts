import { Lost } from './connection.js';
import type { Scene } from './scene.js';

export type Answered = { readonly status: number; readonly code: string; readonly text: string };

/** A request over HTTP. Rejects with `Lost` when the server is gone before its answer is here. */
export async function request(
  { server }: Pick<Scene, 'server'>,
  method: string,
  path: string,
  body?: object,
): Promise<Answered> {
  try {
    const response = await fetch(`${server.base}/${path}`, {
      method,
      headers: { 'a2a-version': '1.0', 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, code: /"code":"([\w-]+)"/.exec(text)?.[1] ?? String(response.status), text };
  } catch (cause) {
    throw new Lost(`${method} ${path} was not answered`, { cause });
  }
}
