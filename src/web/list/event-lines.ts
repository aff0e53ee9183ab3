import { readParts } from '../read-parts.js';

/** A server-sent event. */
export type ServerSentEvent = { readonly name: string; readonly data: string };

/** Reads server-sent events. The browser's own `EventSource` cannot send the page key. `onAlive`: something came, if only a heartbeat. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onAlive: () => void,
): AsyncGenerator<ServerSentEvent> {
  for await (const block of readParts(body, '\n\n')) {
    onAlive();
    const sent = parse(block);
    if (sent.data !== '') yield sent;
  }
}

function parse(block: string): ServerSentEvent {
  const field = (name: string): string =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  return { name: field('event'), data: field('data') };
}
