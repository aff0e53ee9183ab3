import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '../../domain/errors.js';
import type { Peers } from '../../domain/peers.js';
import { Repeats } from '../../util/repeats.js';
import type { AcpAnswers, AcpHttpRequest } from './http-answers.js';
import { connectionHeader } from './http-connections.js';
import { PulledStream } from './pulled-stream.js';

/** Answers that are being read by other servers. */
const maxPulled = 2048;
/** More requests than come while a reply is on its way. */
const maxRepeats = 1000;

const passed = z.object({ id: z.string(), request: z.custom<AcpHttpRequest>() });
const readAfter = z.object({ id: z.string(), after: z.number() });
const named = z.object({ id: z.string() });
const head = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), hasBody: z.boolean() });
const piece = z.object({ bytes: z.string(), isEnd: z.boolean() });

/**
 * A connection is in the memory of one server, which its id names. Any other server forwards its requests to that one and
 * reads the answer piece by piece: the bus may lose messages, so each piece is requested until it arrives.
 */
export function clusteredAnswers(own: AcpAnswers, peers: Peers): AcpAnswers {
  const pulled = servePulls(own, peers);
  return {
    async answer(request, gone) {
      const named = request.headers[connectionHeader];
      const [server, id] = placeOf(named);
      if (server === undefined || server === peers.server) {
        const answer = await own.answer(withId(request, id), gone);
        const made = answer.headers.get(connectionHeader);
        if (made !== null) answer.headers.set(connectionHeader, `${peers.server}.${made}`);
        return answer;
      }
      // If that server is gone, the connection is unknown, as after a restart.
      return (await askFor(peers, server, withId(request, id), gone)) ?? own.answer(request, gone);
    },
    close() {
      for (const stream of pulled.values()) stream.end();
      own.close();
    },
  };
}

/** Answers other servers. */
function servePulls(own: AcpAnswers, peers: Peers): ReadonlyMap<string, PulledStream> {
  const pulled = new Map<string, PulledStream>();
  const repeats = new Repeats<z.infer<typeof head>>(maxRepeats);
  peers.onAsked('acp-http', (about) => {
    const { id, request } = passed.parse(about);
    return repeats.run(id, async () => {
      if (pulled.size >= maxPulled)
        throw new AppError('too-many-clients', `${maxPulled} streams are read through other servers already`);
      const gone = new AbortController();
      const answer = await own.answer(request, gone.signal);
      const { status, body } = answer;
      const onEnd = (): void => {
        pulled.delete(id);
        gone.abort();
      };
      if (body) pulled.set(id, new PulledStream(body, onEnd));
      else gone.abort();
      return { status, headers: Object.fromEntries(answer.headers), hasBody: body !== null };
    });
  });
  peers.onAsked('acp-read', async (about) => {
    const { id, after } = readAfter.parse(about);
    const stream = pulled.get(id);
    if (!stream) throw new AppError('not-found', 'this stream no longer exists');
    const { bytes, isEnd } = await stream.read(after);
    return { bytes: bytes.toString('base64'), isEnd };
  });
  peers.onAsked('acp-end', async (about) => pulled.get(named.parse(about).id)?.end());
  return pulled;
}

/** Undefined if that server is gone. */
async function askFor(
  peers: Peers,
  server: string,
  { method, headers, body, principal }: AcpHttpRequest,
  gone: AbortSignal,
): Promise<Response | undefined> {
  const id = randomUUID();
  const answer = await peers.ask(server, 'acp-http', { id, request: { method, headers, body, principal } });
  if (answer.is === 'gone') return undefined;
  if (answer.is !== 'done') throw new AppError('not-ready', 'the server of this connection does not answer; try again');
  const { status, headers: answered, hasBody } = head.parse(answer.value);
  return new Response(hasBody ? pull(peers, server, id, gone) : null, { status, headers: answered });
}

function pull(peers: Peers, server: string, id: string, gone: AbortSignal): ReadableStream<Uint8Array> {
  let after = 0;
  const end = (): void => void peers.ask(server, 'acp-end', { id }).catch(() => {});
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!gone.aborted) {
          // If a stream ends too early, its client opens it again and learns what happened to the connection.
          const answer = await peers.ask(server, 'acp-read', { id, after }).catch(() => undefined);
          if (answer?.is !== 'done') return controller.close();
          const { bytes, isEnd } = piece.parse(answer.value);
          const chunk = Buffer.from(bytes, 'base64');
          after += chunk.length;
          if (chunk.length > 0) controller.enqueue(chunk);
          if (isEnd) return controller.close();
          if (chunk.length > 0) return undefined;
        }
        return undefined;
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** An id without the name of a server is one of this server's, or of nobody. Clients may send anything: names are UUIDs. */
function placeOf(named: string | undefined): [server: string | undefined, id: string | undefined] {
  const [, server, id = named] = /^([0-9a-f-]{36})\.(.*)$/.exec(named ?? '') ?? [];
  return [server, id];
}

function withId(request: AcpHttpRequest, id: string | undefined): AcpHttpRequest {
  return id === undefined ? request : { ...request, headers: { ...request.headers, [connectionHeader]: id } };
}
