import type { ModelApi, Said } from './scripted-model.js';

type ChatRequest = {
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
};

/** OpenAI's chat completions, which most agents can be pointed at. */
export const chatApi: ModelApi<ChatRequest> = {
  path: '/chat/completions',
  read: ({ messages, tools = [] }) => ({
    tools: tools.map((tool) => tool.function.name),
    isAfterTool: messages.at(-1)?.role === 'tool',
  }),
  write(said, { stream }, id) {
    const message = messageOf(said, `call_${id}`);
    const finish_reason = said.call ? 'tool_calls' : 'stop';
    if (!stream) return { json: completion({ message, finish_reason }) };
    const { role, content, tool_calls: calls } = message;
    const deltas = [
      ...(content === null ? [] : [{ delta: { role, content } }]),
      ...(calls ? [{ delta: { role, tool_calls: calls.map((call, index) => ({ index, ...call })) } }] : []),
      { delta: {}, finish_reason },
    ];
    return { events: [...deltas.map((delta) => ({ data: completion(delta, true) })), { data: '[DONE]' }] };
  },
};

function messageOf({ text, call }: Said, id: string) {
  const calls = call && [{ id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }];
  return { role: 'assistant', content: text ?? null, ...(calls ? { tool_calls: calls } : {}) };
}

function completion(choice: object, isChunk = false) {
  return {
    id: 'chatcmpl-fake',
    object: isChunk ? 'chat.completion.chunk' : 'chat.completion',
    created: 0,
    model: 'fake',
    choices: [{ index: 0, ...choice }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}
