import { readFile } from 'node:fs/promises';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  errors,
  type Msg,
  nkeyAuthenticator,
  type Subscription,
} from '@nats-io/transport-node';
import { within } from '../../util/within.js';
import { type Bus, maxMessage, NoAnswer, NobodyThere } from './bus.js';
import { Joiner, toParts } from './parts.js';

export type NatsOptions = {
  /** `nats://a:4222,b:4222`, or `tls://…`. */
  readonly url: string;
  readonly server: string;
  /** A file with credentials (JWT) or with the seed of an nkey. */
  readonly creds?: string;
  /** A file with the certificate authorities of the NATS servers. Implies TLS. */
  readonly ca?: string;
  readonly onError: (error: unknown) => void;
};

const subjects = {
  all: 'cosession.all',
  server: (id: string): string => `cosession.server.${id}`,
  /** Ids of tasks may contain dots, stars and blanks, which mean something to NATS. */
  task: (id: string): string => `cosession.task.${Buffer.from(id).toString('base64url')}`,
};

/** Between two attempts to reach a NATS server again. */
const reconnectMs = 200;
/** A link that answers no ping for twice this long is considered broken. */
const pingMs = 5000;
const flushMs = 1000;

/** The bus on NATS servers that exist already. Only core NATS: nothing is kept there. */
export async function openNatsBus({ url, server, creds, ca, onError }: NatsOptions): Promise<Bus> {
  const authenticator = creds === undefined ? undefined : await authenticatorIn(creds);
  const usesTls = ca !== undefined || url.startsWith('tls://');
  const connection = await connect({
    servers: url.replace(/^(nats|tls):\/\//, '').split(','),
    name: `cosession ${server}`,
    noEcho: true,
    inboxPrefix: `_INBOX.${server}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    pingInterval: pingMs,
    ...(authenticator && { authenticator }),
    ...(usesTls && { tls: ca === undefined ? {} : { ca: await readFile(ca, 'utf8') } }),
  }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--cluster: there is no way to ${url}: ${why}`, { cause });
  });
  let isConnected = true;
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') isConnected = false;
      if (type === 'reconnect') isConnected = true;
    }
  })();
  const hear = (subject: string, take: (message: Msg) => void): Subscription =>
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return onError(error);
        try {
          take(message);
        } catch (cause) {
          onError(cause);
        }
      },
    });
  const publish = (subject: string, message: string): void => {
    if (!connection.isClosed()) connection.publish(subject, message);
  };
  return {
    serve(answer) {
      const joiner = new Joiner();
      const respond = async (message: Msg): Promise<void> => {
        const whole = joiner.take(message.string());
        if (whole !== undefined) message.respond(await answer(whole));
      };
      hear(subjects.server(server), (message) => void respond(message).catch(onError));
    },
    async request(to, request, timeout) {
      const [last = '', ...others] = toParts(request, maxMessage).toReversed();
      for (const part of others.toReversed()) publish(subjects.server(to), part);
      try {
        return (await connection.request(subjects.server(to), last, { timeout })).string();
      } catch (cause) {
        throw isAbsence(cause) ? new NobodyThere(to, { cause }) : new NoAnswer(to, { cause });
      }
    },
    publish: (taskId, message) => publish(subjects.task(taskId), message),
    async follow(taskId, listener) {
      const subscription = hear(subjects.task(taskId), (message) => listener(message.string()));
      // While NATS is away, the store has what is missed.
      await within(flushMs, connection.flush(), () => undefined).catch(() => undefined);
      return () => subscription.unsubscribe();
    },
    announce: (message) => publish(subjects.all, message),
    onAnnouncement: (listener) => void hear(subjects.all, (message) => listener(message.string())),
    get isConnected() {
      return isConnected;
    },
    noticesAbsence: true,
    close: () => connection.close(),
  };
}

function isAbsence(error: unknown): boolean {
  if (error instanceof errors.NoRespondersError) return true;
  return error instanceof errors.RequestError && error.isNoResponders();
}

async function authenticatorIn(file: string): Promise<Authenticator> {
  const bytes = await readFile(file);
  const text = bytes.toString().trim();
  return text.startsWith('SU') ? nkeyAuthenticator(Buffer.from(text)) : credsAuthenticator(bytes);
}
