import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { credentials, makeGenericClientConstructor, status } from '@grpc/grpc-js';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { connect } from '../../src/client/node.js';
import { pinnedFetch } from '../../src/client/transport/pinned.js';
import type { ServerSettings } from '../../src/server/open-server.js';
import { openTls } from '../../src/server/tls/open-tls.js';
import { selfSignedIn } from '../../src/server/tls/self-signed.js';
import { makeAuthority, type Pair } from '../support/certificates.js';
import { fetchAsOther } from '../support/other-user.js';
import { serveHub, token as ownerToken } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const wanted = { tenant: '', id: 'nothing', historyLength: undefined };
const day = 24 * 3600 * 1000;
const authority = makeAuthority();
const pair = authority.issue('/CN=localhost');

async function serve(settings: Partial<ServerSettings>) {
  const hub = await serveHub({}, settings);
  onTestFinished(() => hub.stop());
  return hub;
}

/** The status of a request and, if it failed, the code of its error. */
function ask(port: number, path: string, options: ConnectionOptions & { headers?: Record<string, string> } = {}) {
  return new Promise<readonly [number, string?]>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, ca: authority.ca, agent: false, ...options });
    call.once('response', (response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString()));
      response.once('end', () => {
        const code = /"(?:code|error)":\s*"([a-z-]+)"/.exec(body)?.[1];
        resolve(code === undefined ? [response.statusCode ?? 0] : [response.statusCode ?? 0, code]);
      });
    });
    call.once('error', reject).end();
  });
}

async function secureSocket(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = tlsConnect({ host: '127.0.0.1', port, ca: authority.ca, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

const shown = async (port: number): Promise<string> => {
  const socket = await secureSocket(port, { checkServerIdentity: () => undefined });
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
};

describe('the certificate of --tls self-signed', () => {
  const folder = temporaryFolder();
  const pem = selfSignedIn(folder);

  test('is made once, and only its owner can read it', () => {
    expect(selfSignedIn(folder)).toBe(pem);
    expect(statSync(join(folder, 'tls', 'self-signed.pem')).mode & 0o777).toBe(0o600);
  });

  test('names this machine, is signed by its own key, and is no authority', () => {
    const certificate = new X509Certificate(pem);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect([certificate.checkIP('127.0.0.1'), certificate.checkIP('::1')]).toEqual(['127.0.0.1', '::1']);
    expect(certificate.ca).toBe(false);
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / day;
    expect(days).toBeLessThan(825);
  });

  test('is replaced at a start within its last 30 days, or if it is damaged', () => {
    const later = selfSignedIn(folder, Date.now() + 800 * day);
    expect(later).not.toBe(pem);
    writeFileSync(join(folder, 'tls', 'self-signed.pem'), 'nonsense');
    expect(new X509Certificate(selfSignedIn(folder)).subject).toBe('CN=Cosession');
  });
});

describe('a server with TLS', () => {
  const stateDir = temporaryFolder();
  const opened = serveHub({}, { tls: 'self-signed', stateDir, grpcPort: 0 });
  afterAll(async () => (await opened).stop());

  test('speaks https, wss and gRPC with one certificate, and its card says so', async () => {
    const { server } = await opened;
    const certificate = server.tls?.certificate ?? '';
    expect(server.url).toBe(`https://127.0.0.1:${server.port}/`);
    const card: unknown = await (await pinnedFetch(certificate)(`${server.url}.well-known/agent-card.json`)).json();
    expect(JSON.stringify(card)).toContain(`wss://127.0.0.1:${server.port}/ws`);
    expect(JSON.stringify(card)).not.toContain('http://127');

    const session = await connect({ url: server.url, certificate, client: 'pinned' });
    expect(session.state).toBe('submitted');
    session.close();

    const Client = makeGenericClientConstructor(A2AService, 'A2A');
    const client = new Client(`localhost:${server.grpcPort}`, credentials.createSsl(Buffer.from(certificate)));
    const { getTask } = A2AService;
    const call = once(
      client.makeUnaryRequest(getTask.path, getTask.requestSerialize, getTask.responseDeserialize, wanted, () => {}),
      'status',
    );
    expect(await call).toMatchObject([{ code: status.NOT_FOUND }]);
    client.close();
  });

  test('still knows its user by the connection: another one is refused, with the token it is served', async () => {
    const { server } = await opened;
    const card = `${server.url}.well-known/agent-card.json`;
    const certificate = server.tls?.certificate ?? '';
    expect(await fetchAsOther(card, {}, certificate)).toBe(403);
    expect(await fetchAsOther(card, { authorization: `Bearer ${ownerToken}` }, certificate)).toBe(200);
    expect((await pinnedFetch(certificate)(card)).status).toBe(200);
  });

  test('a client that expects another certificate does not connect', async () => {
    const { server } = await opened;
    await expect(connect({ url: server.url, certificate: pair.cert })).rejects.toThrow(/cannot connect/);
    await expect(connect({ url: server.url })).rejects.toThrow(/self-signed certificate/);
  });

  test('closes a plain connection, and goes on', async () => {
    const { server } = await opened;
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('fetch failed');
    expect((await pinnedFetch(server.tls?.certificate ?? '')(`${server.url}openapi.json`)).status).toBe(200);
  });
});

describe('--tls-cert and --tls-key', () => {
  test('new files are used without a restart; a pair that does not match is not', async () => {
    const folder = temporaryFolder();
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const install = ({ certFile, keyFile }: Pair): void => {
      copyFileSync(certFile, tlsCert);
      copyFileSync(keyFile, tlsKey);
    };
    const fingerprintOf = ({ cert }: Pair): string => new X509Certificate(cert).fingerprint256;
    install(pair);
    const errors: string[] = [];
    const log = { debug: () => {}, info: () => {}, error: (message: string) => void errors.push(message) };
    const tls = await openTls({ tlsCert, tlsKey, log, everyMs: 20 });
    const { server } = await serve({ tlsCert, tlsKey });
    const open = await secureSocket(server.port);

    const [second, third] = [authority.issue('/CN=second'), authority.issue('/CN=third')];
    let changes = 0;
    tls?.onChange(() => changes++);
    install(second);
    await until(() => tls?.fingerprint === fingerprintOf(second));
    await until(async () => (await shown(server.port)) === fingerprintOf(second));
    expect(changes).toBeGreaterThan(0);

    copyFileSync(third.certFile, tlsCert);
    await until(() => errors.length > 0);
    expect(errors[0]).toContain('keeps the old ones');
    expect(tls?.fingerprint).toBe(fingerprintOf(second));
    expect(await shown(server.port)).toBe(fingerprintOf(second));

    install(third);
    await until(() => tls?.fingerprint === fingerprintOf(third));
    tls?.close();
    expect(open.destroyed).toBe(false);
    open.destroy();
  });

  test('files that cannot be used are named at the start', async () => {
    const other = authority.issue('/CN=other');
    await expect(serveHub({}, { tlsCert: '/nowhere.pem', tlsKey: pair.keyFile })).rejects.toThrow(
      '--tls-cert: /nowhere.pem cannot be read',
    );
    await expect(serveHub({}, { tlsCert: pair.certFile, tlsKey: other.keyFile })).rejects.toThrow(
      /key values mismatch/,
    );
  });
});

describe('--tls-client-ca', () => {
  const ada = authority.issue('/CN=ada/OU=cosession:prompt/OU=cosession:approve');
  const bob = authority.issue('/CN=bob');
  const mallory = makeAuthority('Another CA').issue('/CN=ada/OU=cosession:admin');
  const tokens = new TokenFolder(temporaryFolder());
  const opened = serveHub(
    {},
    {
      tlsCert: pair.certFile,
      tlsKey: pair.keyFile,
      tlsClientCa: authority.caFile,
      requireToken: true,
      auth: { authenticators: [tokens] },
    },
  );
  afterAll(async () => (await opened).stop());
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test('the certificate says who somebody is and what they may do', async () => {
    const { port } = (await opened).server;
    const task = '/tasks/session-1';
    expect(await ask(port, task, ada)).toEqual([200]);
    expect(await ask(port, '/nothing', ada)).toEqual([403, 'scope-missing']);
    expect(await ask(port, task, bob)).toEqual([403, 'scope-missing']);
    expect(await ask(port, task)).toEqual([403, 'certificate-required']);
    expect(await ask(port, task, mallory)).toEqual([403, 'certificate-required']);
    expect(await ask(port, '/.well-known/agent-card.json')).toEqual([200]);
  });

  test('a token needs a certificate too, and then decides; the owner needs none', async () => {
    const { port } = (await opened).server;
    const token = await tokens.create({ name: 'watcher', scopes: ['view'] });
    expect(await ask(port, '/tasks/session-1', bearer(token))).toEqual([403, 'certificate-required']);
    expect(await ask(port, '/tasks/session-1', { ...bob, ...bearer(token) })).toEqual([200]);
    expect(await ask(port, '/tasks/session-1', bearer(ownerToken))).toEqual([200]);
  });

  test('what a caller does carries its name', async () => {
    const { server, session } = await opened;
    const url = `wss://localhost:${server.port}/ws?client=laptop`;
    const { WireClient } = await import('../support/wire-client.js');
    const client = await WireClient.connect(url, { ca: authority.ca, ...ada });
    await client.prompt('hello');
    const event = await client.find(({ kind }) => kind === 'USER_MESSAGE');
    expect(event['origin']).toMatchObject({ client: 'laptop', principal: 'cert:ada' });
    expect(session.id).toBe('session-1');
    client.close();
  });

  test('a session that was begun without a certificate cannot be resumed into one', async () => {
    const { port } = (await opened).server;
    const first = await secureSocket(port);
    let ticket: Buffer | undefined;
    first.on('session', (session) => (ticket = session));
    first.write(`GET /tasks/session-1 HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`);
    await once(first.resume(), 'close');
    expect(await ask(port, '/tasks/session-1', ticket ? { session: ticket } : {})).toEqual([
      403,
      'certificate-required',
    ]);
  });
});
