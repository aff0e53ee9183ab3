import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Bus, NoAnswer } from './bus.js';
import { Joiner, toParts } from './parts.js';
import { openListener } from './postgres-listener.js';

export type PostgresBusOptions = {
  /** The database of the store. */
  readonly url: string;
  readonly server: string;
  readonly onError: (error: unknown) => void;
};

/** PostgreSQL takes payloads below 8,000 bytes. */
const maxPayload = 7900;

const envelope = z.object({ from: z.string(), id: z.string(), body: z.string(), isReply: z.boolean() });
type Envelope = z.infer<typeof envelope>;

/** The bus on LISTEN and NOTIFY of the store's own database, where there is no NATS. */
export async function openPostgresBus({ url, server, onError }: PostgresBusOptions): Promise<Bus> {
  const place = placeOf(url);
  const channel = (kind: 'server' | 'task' | 'all', id = ''): string =>
    `cosession_${createHash('sha256').update(`${place} ${kind} ${id}`).digest('hex').slice(0, 40)}`;
  const listener = await openListener(url, onError);
  const waiting = new Map<string, (body: string) => void>();
  const send = (to: string, message: Envelope): void => {
    for (const part of toParts(JSON.stringify(message), maxPayload)) listener.notify(to, part);
  };
  /** Calls back with what others send to the channel. Each sender's parts come in order, but senders mix. */
  const hear = (name: string, take: (message: Envelope) => void): Promise<() => void> => {
    const joiner = new Joiner();
    return listener.listen(name, (payload) => {
      const whole = joiner.take(payload);
      if (whole === undefined) return;
      const message = envelope.parse(JSON.parse(whole));
      if (message.from !== server) take(message);
    });
  };
  let answer: (request: string) => Promise<string> = () => Promise.reject(new NoAnswer(server));
  await hear(channel('server', server), ({ from, id, body, isReply }) => {
    if (isReply) return waiting.get(id)?.(body);
    const reply = (text: string): void =>
      send(channel('server', from), { from: server, id, body: text, isReply: true });
    answer(body).then(reply, onError);
  });
  const tell = (to: string, body: string): void => send(to, { from: server, id: '', body, isReply: false });
  return {
    serve: (given) => void (answer = given),
    request: (to, body, timeoutMs) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(id);
        };
        const timer = setTimeout(() => {
          end();
          reject(new NoAnswer(to));
        }, timeoutMs);
        waiting.set(id, (reply) => {
          end();
          resolve(reply);
        });
        send(channel('server', to), { from: server, id, body, isReply: false });
      }),
    publish: (taskId, message) => tell(channel('task', taskId), message),
    follow: (taskId, take) => hear(channel('task', taskId), ({ body }) => take(body)),
    announce: (message) => tell(channel('all'), message),
    onAnnouncement: (take) => void hear(channel('all'), ({ body }) => take(body)).catch(onError),
    get isConnected() {
      return listener.isConnected;
    },
    noticesAbsence: false,
    close: () => listener.close(),
  };
}

/** Channels belong to a database, stores to a schema of it. Servers may reach the database under different addresses. */
function placeOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  return `${pathname} ${searchParams.get('search_path') ?? ''}`;
}
