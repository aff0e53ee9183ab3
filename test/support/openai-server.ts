import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../src/util/listen-on-loopback.js';

export type ChatMessage = { readonly role: string; readonly content?: unknown };

export type ChatRequest = {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
};

/** What the scripted model says: some text, and perhaps a tool to run. */
export type ChatReply = {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
};

export type ChatServer = { readonly url: string; readonly requests: readonly ChatRequest[]; close(): Promise<void> };

/** Speaks enough of OpenAI's chat completions on loopback for agents to run against a script. */
export async function startChatServer(script: (request: ChatRequest) => ChatReply): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.endsWith('/chat/completions'))
      return sendJson(response, { object: 'list', data: [{ id: 'fake' }] });
    const body = await readBody(request);
    const asked = JSON.parse(body) as ChatRequest;
    requests.push(asked);
    const reply = script(asked);
    if (asked.stream) stream(response, reply, requests.length);
    else sendJson(response, completion({ message: messageOf(reply, requests.length), finish_reason: endOf(reply) }));
  }
}

function stream(response: ServerResponse, reply: ChatReply, count: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choice: object): void => void response.write(`data: ${JSON.stringify(completion(choice, true))}\n\n`);
  const { tool_calls: calls } = messageOf(reply, count);
  if (reply.text !== undefined) send({ delta: { role: 'assistant', content: reply.text } });
  if (calls) send({ delta: { role: 'assistant', tool_calls: calls.map((call, index) => ({ index, ...call })) } });
  send({ delta: {}, finish_reason: endOf(reply) });
  response.end('data: [DONE]\n\n');
}

function messageOf({ text, call }: ChatReply, count: number) {
  const id = `call_${count}_${Math.random().toString(36).slice(2, 10)}`;
  return {
    role: 'assistant',
    content: text ?? null,
    ...(call
      ? { tool_calls: [{ id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }] }
      : {}),
  };
}

function endOf({ call }: ChatReply): string {
  return call ? 'tool_calls' : 'stop';
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

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const data of request as AsyncIterable<Buffer>) chunks.push(data);
  return Buffer.concat(chunks).toString('utf8');
}
