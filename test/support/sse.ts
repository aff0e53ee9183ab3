export type StreamedEvent = { readonly id?: number; readonly event?: string; readonly data: Record<string, unknown> };

/** The events of a stream that has ended. */
export async function eventsOf(response: Response): Promise<StreamedEvent[]> {
  return parseEvents(await response.text());
}

/** Reads a stream until an event matches, then cuts the connection. */
export async function readUntil(
  response: Response,
  matches: (event: StreamedEvent) => boolean,
): Promise<StreamedEvent[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('there is no stream');
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? '';
    const events = parseEvents(text.slice(0, text.lastIndexOf('\n\n') + 2));
    if (!done && !events.some(matches)) continue;
    await reader.cancel();
    return events;
  }
}

function parseEvents(text: string): StreamedEvent[] {
  const blocks = text.split('\n\n').filter((block) => block.includes('data: '));
  return blocks.map((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
    const id = fields.get('id');
    const event = fields.get('event');
    return {
      ...(id === undefined ? {} : { id: Number(id) }),
      ...(event === undefined ? {} : { event }),
      data: JSON.parse(fields.get('data') ?? '') as Record<string, unknown>,
    };
  });
}
