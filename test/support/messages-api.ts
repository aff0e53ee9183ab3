import type { ModelApi, Said } from './scripted-model.js';

type MessagesRequest = {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly RequestBlock[] }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
};

type RequestBlock = { readonly type: string; readonly text?: string };

/** Anthropic's messages, for Claude Code. */
export const messagesApi: ModelApi<MessagesRequest> = {
  path: '/v1/messages',
  read({ messages, tools = [] }) {
    const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const blocks = typeof content === 'string' ? [] : content;
    // A prompt after a canceled call comes in one message with the call's result; reminders may follow either.
    const last = blocks.findLast(({ text }) => !text?.startsWith('<system-reminder>'));
    return { tools: tools.map(({ name }) => name), isAfterTool: last?.type === 'tool_result' };
  },
  write(said, { stream }, id) {
    const message = messageOf(said, id);
    if (!stream) return { json: message };
    const { content, stop_reason, usage, ...head } = message;
    const events = [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      ...content.flatMap((block, index) => blockEvents(block, index)),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    return { events: events.map((data) => ({ event: data.type, data })) };
  },
};

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };

function messageOf({ text, call }: Said, id: string) {
  const content: Block[] = [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...(call ? [{ type: 'tool_use' as const, id: `toolu_${id}`, name: call.name, input: call.args }] : []),
  ];
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content,
    stop_reason: call ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  };
}

/** A block begins empty and is filled. */
function blockEvents(block: Block, index: number): readonly { type: string; [field: string]: unknown }[] {
  const [empty, delta] =
    block.type === 'text'
      ? [
          { ...block, text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: 'content_block_start', index, content_block: empty },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}
