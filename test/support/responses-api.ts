import type { ModelApi, Said } from './scripted-model.js';

type ResponsesRequest = {
  readonly input: readonly { readonly type?: string }[];
  readonly tools?: readonly { readonly name?: string }[];
};

/** OpenAI's responses, for Codex, which always wants them as a stream. */
export const responsesApi: ModelApi<ResponsesRequest> = {
  path: '/responses',
  read: ({ input, tools = [] }) => ({
    tools: tools.flatMap(({ name }) => name ?? []),
    isAfterTool: input.at(-1)?.type === 'function_call_output',
  }),
  write(said, _request, id) {
    const response = { id: `resp_${id}` };
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const events = [
      { type: 'response.created', response },
      ...itemsOf(said, id).flatMap((item, index) => itemEvents(item, index)),
      { type: 'response.completed', response: { ...response, usage } },
    ];
    return { events: events.map((data) => ({ event: data.type, data })) };
  },
};

type Item =
  | { type: 'message'; id: string; role: 'assistant'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; id: string; call_id: string; name: string; arguments: string };

function itemsOf({ text, call }: Said, id: string): Item[] {
  const said: Item[] =
    text === undefined
      ? []
      : [{ type: 'message', id: `msg_${id}`, role: 'assistant', content: [{ type: 'output_text', text }] }];
  const called: Item[] = call
    ? [
        {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: call.name,
          arguments: JSON.stringify(call.args),
        },
      ]
    : [];
  return [...said, ...called];
}

function itemEvents(item: Item, output_index: number): readonly { type: string; [field: string]: unknown }[] {
  const deltas =
    item.type === 'message'
      ? item.content.map(({ text }, content_index) => ({
          type: 'response.output_text.delta',
          item_id: item.id,
          output_index,
          content_index,
          delta: text,
        }))
      : [];
  const empty = item.type === 'message' ? { ...item, content: [] } : item;
  return [
    { type: 'response.output_item.added', output_index, item: empty },
    ...deltas,
    { type: 'response.output_item.done', output_index, item },
  ];
}
