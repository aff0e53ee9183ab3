import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer } from '../util/net/close-server.js';
import { listenOnLoopback } from '../util/net/listen-on-loopback.js';
import type { Part, ScriptedReply } from './reply.js';
import { defined } from '../util/defined.js';

/** A request of the Gemini CLI, with the conversation so far. */
export type ModelRequest = {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly RequestPart[] }[];
};

export type RequestPart = {
  readonly text?: string;
  readonly functionCall?: { readonly name: string; readonly id?: string };
  readonly functionResponse?: {
    readonly name: string;
    readonly id?: string;
    readonly response?: Record<string, unknown>;
  };
};

/** Decides what the model says next; called once per streaming request. */
export type Script = (request: ModelRequest) => ScriptedReply;

export type ModelServer = {
  readonly url: string;
  close(): Promise<void>;
};

/** Implements enough of the Gemini REST API (v1beta) on loopback to run the Gemini CLI against a script. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const server = createServer((request, response) => {
    answer(request, response, script).catch(() => response.destroy());
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, script: Script) {
  const body = await readBody(request);
  const method = /:(\w+)(?:\?|$)/.exec(request.url ?? '')?.[1];
  switch (method) {
    case 'streamGenerateContent': {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the CLI's own request, on loopback
      const asked = JSON.parse(body) as ModelRequest;
      return stream(response, script(asked), body.length);
    }
    case 'countTokens':
      return sendJson(response, 200, { totalTokens: tokens(body.length) });
    case 'generateContent':
      // The CLI's side requests, such as who speaks next, expect JSON.
      return sendJson(
        response,
        200,
        chunk([{ text: '{"reasoning":"demo","next_speaker":"user","model_choice":"flash"}' }], 'STOP'),
      );
    default:
      return sendJson(response, 404, {
        error: { code: 404, message: `the demo model has no ${request.url}`, status: 'NOT_FOUND' },
      });
  }
}

async function stream(response: ServerResponse, reply: ScriptedReply, requestLength: number): Promise<void> {
  if (reply.error) {
    const { status, message } = reply.error;
    return sendJson(response, status, { error: { code: status, message, status: 'UNKNOWN' } });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [index, parts] of reply.chunks.entries()) {
    if (response.destroyed) return;
    if (index === reply.cutAfter) return void response.destroy();
    const isLast = index === reply.chunks.length - 1;
    if (index > 0 && reply.pauseMs) await sleep(reply.pauseMs);
    if (isLast) await reply.holdLast;
    const usage = isLast ? { usageMetadata: usageOf(requestLength, reply.chunks.length) } : {};
    const event = { ...chunk(parts, isLast ? 'STOP' : undefined, reply.citations), ...usage };
    response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
  }
  response.end();
}

function chunk(parts: readonly Part[], finishReason?: string, citations?: readonly string[]) {
  const cited =
    finishReason && citations ? { citationMetadata: { citationSources: citations.map((uri) => ({ uri })) } } : {};
  const end = defined({ finishReason });
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...end, ...cited }],
    modelVersion: 'cosession-demo',
  };
}

function usageOf(requestLength: number, chunks: number) {
  const [input, output] = [tokens(requestLength), chunks * 8];
  return { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
}

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const data of request as AsyncIterable<Buffer>) chunks.push(data);
  return Buffer.concat(chunks).toString('utf8');
}
