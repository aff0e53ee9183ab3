/** A server-sent event. */
export type Sent = { readonly name: string; readonly data: string };

/** Reads server-sent events. The browser's own `EventSource` cannot send the page key. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Sent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const sent = parse(block);
      if (sent.data !== '') yield sent;
    }
  }
}

function parse(block: string): Sent {
  const field = (name: string): string =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  return { name: field('event'), data: field('data') };
}
