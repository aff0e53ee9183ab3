import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

export type Call = {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An event as a stream or a socket brings it, in any dialect. */
export type Heard = Readonly<Record<string, unknown>> & { readonly seq?: number };

/** Every request has a connection of its own, as those of many clients have. */
export async function send(port: number, { method = 'POST', path, body, headers = {} }: Call) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const call = request({ host: '127.0.0.1', port, path, method, agent: false, headers: { ...type, ...headers } });
  call.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response;
}

/** The whole body; an answer that refuses is a failure of the soak. */
export async function ask(port: number, call: Call): Promise<string> {
  const response = await send(port, call);
  const text = await textOf(response);
  const { statusCode = 500 } = response;
  if (statusCode >= 300) throw new Error(`${call.method ?? 'POST'} ${call.path}: ${statusCode} ${text}`);
  return text;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const data of response.setEncoding('utf8')) text += String(data);
  return text;
}

/** The server-sent events of a response, with their number. Whoever stops reading cuts the connection. */
export async function* eventsOf(response: IncomingMessage): AsyncGenerator<Heard> {
  let id = '';
  try {
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('id: ')) id = line.slice('id: '.length);
      if (!line.startsWith('data: ')) continue;
      const data = JSON.parse(line.slice('data: '.length)) as object;
      yield id === '' ? { ...data } : { ...data, seq: Number(id) };
    }
  } finally {
    response.destroy();
  }
}
