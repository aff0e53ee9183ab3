import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/node.js';
import { openedLine } from '../../src/apps/live/opened-line.js';
import { ask } from '../support/ask.js';
import { serveHub, token } from '../support/served-hub.js';
import { serveTasks } from '../support/served-tasks.js';
import { WireClient } from '../support/wire-client.js';

const bearer = { authorization: `Bearer ${token}` };

describe('--public-url with a path', () => {
  const opened = serveHub({}, { publicUrl: 'https://agents.example.com/team/' });
  afterAll(async () => (await opened).stop());
  const at = async (path: string, headers: Record<string, string> = {}, method = 'GET', body?: unknown) => {
    const url = `http://127.0.0.1:${(await opened).server.port}${path}`;
    const reply = await ask(url, { host: 'agents.example.com', ...bearer, ...headers }, method, body);
    return { ...reply, body: reply.body.toString() };
  };

  test.each(['/team/tasks/session-1', '/tasks/session-1'])('a proxy may pass the path on or not: %s', async (path) => {
    expect((await at(path)).status).toBe(200);
    expect((await at(path, { origin: 'https://agents.example.com' })).status).toBe(200);
    expect((await at(path, { origin: 'https://example.com' })).status).toBe(403);
    expect((await at(path, { authorization: '' })).status).toBe(401);
  });

  test('without its last slash, a browser is sent to the path and a client is served', async () => {
    const { status, headers } = await at('/team');
    expect([status, headers['location']]).toEqual([308, '/team/']);
    const body = { jsonrpc: '2.0', id: 1, method: 'commands/get' };
    const json = { 'content-type': 'application/json' };
    for (const path of ['/team', '/team/', '/'])
      expect(JSON.parse((await at(path, json, 'POST', body)).body)).toHaveProperty('result');
  });

  test('a path that only begins like it is another one', async () => {
    expect((await at('/teams/tasks/session-1')).status).toBe(404);
    expect((await at('/team/team/tasks/session-1')).status).toBe(404);
  });

  test('the card and the documents name the public address', async () => {
    const card = (await at('/team/.well-known/agent-card.json')).body;
    expect(card).toContain('"https://agents.example.com/team/a2a/rest"');
    expect(card).toContain('"wss://agents.example.com/team/ws"');
    expect((await at('/team/openapi.json')).body).toContain('"https://agents.example.com/team"');
  });

  test('sockets and the client library find the session below the path', async () => {
    const { port } = (await opened).server;
    const client = await WireClient.connect(`ws://127.0.0.1:${port}/team/ws`, { headers: bearer });
    await client.find(({ kind }) => kind === 'SNAPSHOT');
    client.close();
    const session = await connect({ url: `http://127.0.0.1:${port}/team/`, token });
    session.close();
    await expect(connect({ url: `http://127.0.0.1:${port}/team/` })).rejects.toThrow(/send a token/);
  });

  test('programs on this machine are given the own address', async () => {
    const { server } = await opened;
    expect(server.ownUrl).toBe(`http://127.0.0.1:${server.port}/`);
    expect(openedLine(server)).toContain('public address https://agents.example.com/team/');
  });
});

test('a path of our own cannot be the public one', async () => {
  await expect(serveTasks({ publicUrl: 'https://example.com/tasks/' })).rejects.toThrow(
    '--public-url: /tasks is a path of this server itself',
  );
});

test('beyond loopback a live session needs its token, and says that nothing is encrypted', async () => {
  const hub = await serveHub({}, { host: '0.0.0.0' });
  onTestFinished(() => hub.stop());
  const { server } = hub;
  const address = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  for (const name of ['127.0.0.1', ...(address === undefined ? [] : [address])]) {
    const url = `http://${name}:${server.port}/tasks/session-1`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: bearer })).status).toBe(200);
  }
  expect(server.warning).toMatch(/^not encrypted/);
  expect(server.ownUrl).toBe(`http://127.0.0.1:${server.port}/`);
});
