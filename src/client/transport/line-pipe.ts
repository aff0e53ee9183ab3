import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { CosessionError } from './cosession-error.js';
import { explainRefusal } from './explain-refusal.js';
import { pinnedFetch, pinnedTo } from './pinned.js';
import { defined } from '../../util/defined.js';

export type LinePipeOptions = {
  readonly url: URL;
  readonly subprotocol: string;
  readonly token?: string;
  /** Trust this certificate (PEM) of the endpoint, and no other. */
  readonly certificate?: string;
  readonly input: Readable;
  readonly output: Writable;
};

/** The server is shutting down, or another one continues. */
const goingAway = [1001, 1012];

/**
 * Sends lines to a WebSocket and writes its messages back as lines, until the input ends. Rejects with a sentence if the other
 * end cannot be reached or disconnects.
 */
export function pipeLines({ url, subprotocol, token, certificate, input, output }: LinePipeOptions): Promise<void> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const trust = certificate === undefined ? {} : pinnedTo(certificate);
  const socket = new WebSocket(url, [subprotocol], { headers, perMessageDeflate: false, ...trust });
  // Paused until the connection is open.
  input.pause();
  const leave = (): void => socket.close(1000);
  socket.once('open', () => {
    const lines = createInterface({ input, crlfDelay: Infinity });
    lines.on('line', (line) => {
      if (line.trim() !== '') socket.send(line);
    });
    lines.once('close', leave);
  });
  socket.on('message', (data: Buffer) => {
    if (output.write(`${data.toString('utf8').trimEnd()}\n`)) return;
    socket.pause();
    output.once('drain', () => socket.resume());
  });
  output.once('error', leave);

  return new Promise((resolve, reject) => {
    let wasOpen = false;
    let reason = '';
    socket.once('open', () => (wasOpen = true));
    socket.on('error', (error) => (reason = error.message));
    socket.once('close', (code, text) => {
      input.destroy();
      if (!wasOpen) return void explain(url, { token, certificate }, reason).then(reject);
      if (code === 1000 || code === 1005) return resolve();
      const why = goingAway.includes(code) ? 'the server is shutting down' : text.toString() || reason;
      return reject(new CosessionError('disconnected', `${url.host}: ${why || 'the connection was lost'}`));
    });
  });
}

type Credentials = { readonly token: string | undefined; readonly certificate: string | undefined };

async function explain(url: URL, { token, certificate }: Credentials, reason: string): Promise<CosessionError> {
  const request = certificate === undefined ? fetch : pinnedFetch(certificate);
  return (await explainRefusal({ url, fetch: request, ...defined({ token }) }, url, reason)).error;
}
