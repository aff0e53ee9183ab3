import * as z from 'zod';
import type { Io } from '../view/io.js';
import { entryAt } from './find-session.js';
import { fetchWith, namedCertificate, withTrustAdvice } from './trust.js';

type Query = Readonly<Record<string, string | undefined>>;

/** Requests an HTTP route of a server, with this user's token. Throws the server's reason if it refuses. */
export async function askServer(
  io: Io,
  url: string,
  { method, path, query = {} }: { readonly method: string; readonly path: string; readonly query?: Query },
): Promise<Response> {
  const target = new URL(path, withSlash(httpUrl(url)));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(name, value);
  const known = entryAt(io, url);
  const token = io.token ?? known?.token;
  const request = fetchWith(known?.certificate ?? namedCertificate(io));
  const response = await request(target, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  }).catch((cause: unknown) => {
    throw withTrustAdvice(new Error(`${url} does not answer`, { cause: reasonOf(cause) }));
  });
  if (!response.ok) throw new Error(`${url}: ${await reasonIn(response)}`);
  return response;
}

/** `localhost:41242` and WebSocket addresses are addresses of the server too. */
function httpUrl(url: string): string {
  const full = /^\w+:\/\//.test(url) ? url : `http://${url}`;
  return full.replace(/^ws/, 'http').replace(/\/ws\/?(\?.*)?$/, '/');
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(thrown: unknown): unknown {
  return thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
}

async function reasonIn(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return failure.parse(JSON.parse(text)).error.message;
  } catch {
    // It is not one of our servers, so its status has to do.
    return `HTTP ${response.status}`;
  }
}

const failure = z.object({ error: z.object({ message: z.string() }) });
