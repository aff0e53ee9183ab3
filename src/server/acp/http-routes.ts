import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Peers } from '../../domain/peers.js';
import { principalOf } from '../guards/admission.js';
import { needForAcp } from '../guards/scopes.js';
import { keepAlive } from '../http/heartbeat.js';
import type { AcpAnswers } from './http-answers.js';
import { clusteredAnswers } from './http-elsewhere.js';
import type { SharedAcpSurface } from './surface.js';

export type AcpOverHttp = {
  readonly handle: RequestHandler;
  close(): void;
};

/** `/acp`: ACP over HTTP, as its remote transport defines it. Clients post messages and get a stream of events. */
export function acpOverHttp(surface: SharedAcpSurface, idleMs?: number, peers?: Peers): AcpOverHttp {
  const own = answersOnDemand(surface, idleMs);
  const answers = peers ? clusteredAnswers(own, peers) : own;
  return {
    async handle(request, response) {
      const { method } = request;
      const principal = principalOf(request);
      if (method === 'POST') needForAcp(principal, request.body);
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const body: unknown = request.body;
      const answer = await answers.answer({ method, headers: plainHeaders(request), body, principal }, gone.signal);
      await writeAnswer(answer, response, gone.signal);
    },
    close: () => answers.close(),
  };
}

/** The SDK makes its schemas when it is loaded, so that waits for the first client. */
function answersOnDemand(surface: SharedAcpSurface, idleMs: number | undefined): AcpAnswers {
  let loading: Promise<AcpAnswers> | undefined;
  const load = async (): Promise<AcpAnswers> => (await import('./http-answers.js')).acpAnswers(surface, idleMs);
  return {
    answer: async (request, gone) => (await (loading ??= load())).answer(request, gone),
    close: () => void loading?.then((answers) => answers.close()),
  };
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const copied: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !hopByHop.has(name)) copied[name] = value;
  return copied;
}

const hopByHop = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect']);

async function writeAnswer(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  response.flushHeaders();
  if (answer.headers.get('content-type') === 'text/event-stream') keepAlive(response);
  const written = new WritableStream<Uint8Array>({
    async write(chunk) {
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    },
    close: () => void response.end(),
    abort: () => void response.destroy(),
  });
  // Node's pipeline would add six listeners, more than a response may have. A client that disconnects is not a failure.
  return answer.body.pipeTo(written, { signal }).catch(() => {});
}
