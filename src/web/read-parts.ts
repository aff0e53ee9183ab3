/** The parts of a text that arrives in pieces, each as soon as the separator behind it is there. */
export async function* readParts(body: ReadableStream<Uint8Array>, separator: string): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (text + decoder.decode(value, { stream: true })).split(separator);
    text = parts.pop() ?? '';
    yield* parts;
  }
}
