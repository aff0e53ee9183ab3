import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { serveHub, token } from '../support/served-hub.js';

const run = promisify(execFile);
const nobody = 65_534;

/** Asks for the card as another user of this machine. */
async function cardAs(uid: number, url: string, headers: Record<string, string>): Promise<number> {
  const code = `fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(headers)} }).then((r) => console.log(r.status))`;
  const { stdout } = await run(process.execPath, ['-e', code], { uid, gid: uid, cwd: '/' });
  return Number(stdout);
}

/** The first connections are found in the table of all, later ones are looked up. */
const situations = [
  ['at first', 0],
  ['after many connections', 60],
] as const;

async function connectOften(url: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
  }
}

test.each(situations)(
  '%s, another user of this machine is refused, unless the token was shared',
  async (_when, times) => {
    const hub = await serveHub();
    const card = `${hub.base}/.well-known/agent-card.json`;
    await connectOften(card, times);
    expect(await cardAs(nobody, card, {})).toBe(403);
    expect(await cardAs(nobody, card, { authorization: `Bearer ${token}` })).toBe(200);
    expect(await cardAs(process.getuid?.() ?? 0, card, {})).toBe(200);
    await hub.stop();
  },
);

/** Connects from these places; tells what it was answered, and stays connected. */
async function knockAs(uid: number, port: number, places: readonly { localAddress: string; localPort: number }[]) {
  const request = `GET /.well-known/agent-card.json HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
  const code = `
    const answers = ${JSON.stringify(places)}.map((place) => new Promise((resolve) => {
      const socket = require('node:net').connect({ host: '127.0.0.1', port: ${port}, ...place });
      socket.once('data', (data) => resolve(Number(String(data).split(' ')[1]))).once('error', resolve);
      socket.write(${JSON.stringify(request)});
    }));
    Promise.all(answers).then((all) => console.log(JSON.stringify(all)));`;
  const child = spawn(process.execPath, ['-e', code], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { answers: JSON.parse(line.toString()) as unknown, leave: () => void child.kill() };
}

test.each(situations)(
  '%s, the same port at another loopback address does not make another user one of us',
  async (_when, times) => {
    const hub = await serveHub();
    const port = Number(new URL(hub.base).port);
    await connectOften(`${hub.base}/.well-known/agent-card.json`, times);
    // Which of two connections the kernel lists first is chance.
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    const ourPlaces = ports.map((localPort) => ({ localAddress: '127.0.0.1', localPort }));
    const theirPlaces = ports.map((localPort, index) => ({ localAddress: `127.0.0.${index + 2}`, localPort }));
    const ours = await knockAs(process.getuid?.() ?? 0, port, ourPlaces);
    const theirs = await knockAs(nobody, port, theirPlaces);
    expect([ours.answers, theirs.answers]).toEqual([ports.map(() => 200), ports.map(() => 403)]);
    ours.leave();
    theirs.leave();
    await hub.stop();
  },
);
