import type { Json } from './transport.js';

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

type ServerSentEvent = { readonly id: number; readonly name: string | undefined; readonly data: Json };

export async function* eventsOf(response: Response): AsyncGenerator<ServerSentEvent, void, undefined> {
  let rest = '';
  // An event without an id leaves the reader's cursor where it was.
  let id = -1;
  if (!response.body) return;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      id = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? id);
      yield { id, name: /^event: (\w+)$/m.exec(block)?.[1], data: JSON.parse(data) as Json };
    }
  }
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
