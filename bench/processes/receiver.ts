import { now } from '../support/clock.js';
import { serve } from '../support/serve.js';
import { openRawClient, type RawClient } from './raw-client.js';

export type Crowd = {
  readonly port: number;
  readonly token: string;
  readonly clients: number;
  readonly greeting?: Greeting;
};
/** What each client sends first, and how many texts it gets before the load starts. */
export type Greeting = { readonly hello: readonly string[]; readonly texts: number };
/** A client of the endpoint sends nothing and gets a snapshot. */
const watching: Greeting = { hello: [], texts: 1 };

export type Expected = { readonly texts: number; readonly withTimes: boolean };
export type Received = {
  /** When the last client had everything. */
  readonly at: number;
  readonly bytes: number;
  /** Per client and text, if requested. */
  readonly times: readonly Float64Array[];
};

/** More simultaneous handshakes would only wait in the kernel's queue. */
const atOnce = 50;

let clients: RawClient[] = [];
let expected = 1;
let incomplete = 0;
let isClosing = false;
let settle: { resolve(): void; reject(error: Error): void } | undefined;
let arrival: Promise<Received> | undefined;

function onTexts(client: RawClient, count: number, at: number): void {
  const before = client.texts - count;
  client.times?.fill(at, before, client.texts);
  if (before < expected && client.texts >= expected && --incomplete === 0) settle?.resolve();
}

function onClose(): void {
  if (!isClosing) settle?.reject(new Error('the server disconnected a client'));
}

function everybodyHas(texts: number): Promise<void> {
  expected = texts;
  incomplete = clients.filter((client) => client.texts < texts).length;
  return new Promise((resolve, reject) => {
    settle = { resolve, reject };
    if (incomplete === 0) resolve();
  });
}

const methods = {
  /** Resolves when each client has been greeted. */
  async connect({ port, token, clients: count, greeting = watching }: Crowd): Promise<void> {
    isClosing = false;
    const { hello, texts } = greeting;
    while (clients.length < count) {
      const more = Math.min(atOnce, count - clients.length);
      for (let i = 0; i < more; i++) clients.push(openRawClient({ port, token, hello, onTexts, onClose }));
      await everybodyHas(texts);
    }
  },

  /** Call this before the load starts. `arrived` then returns when every client had everything. */
  expect({ texts, withTimes }: Expected): void {
    for (const client of clients) {
      client.texts = 0;
      client.bytes = 0;
      if (withTimes) client.times = new Float64Array(texts);
    }
    arrival = everybodyHas(texts).then(() => ({
      at: now(),
      bytes: clients.reduce((sum, client) => sum + client.bytes, 0),
      times: clients.flatMap(({ times }) => times ?? []),
    }));
    // The caller of `arrived` gets the failure.
    arrival.catch(() => {});
  },

  arrived(): Promise<Received> {
    if (!arrival) throw new Error('nothing was expected');
    return arrival;
  },

  disconnect(): void {
    isClosing = true;
    for (const { socket } of clients) socket.destroy();
    clients = [];
  },
};

export type ReceiverMethods = typeof methods;
serve(methods);
