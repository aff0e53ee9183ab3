import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

type Key = Awaited<ReturnType<typeof generateKeyPair>> & { readonly kid: string };

/** An OpenID Connect issuer on loopback: discovery, published keys, and tokens signed with them. */
export async function openIssuer() {
  let key = await newKey('key-1');
  let isDown = false;
  let published = [await publicJwk(key)];
  let keyRequests = 0;
  const server = createServer((request, response) => {
    if (isDown) return void response.writeHead(500).end();
    if (request.url === '/keys') keyRequests++;
    const body = request.url === '/keys' ? { keys: published } : { issuer: url, jwks_uri: `${url}/keys` };
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
  return {
    url,
    get key() {
      return key;
    },
    get keyRequests() {
      return keyRequests;
    },
    /** From now on tokens are signed with another key, and only that one is published. */
    async rotate() {
      key = await newKey(`key-${Math.random()}`);
      published = [await publicJwk(key)];
    },
    setDown: (down: boolean) => void (isDown = down),
    /** A token that is good in every way but for what is given. */
    sign(claims: Record<string, unknown> = {}, signer: Key = key): Promise<string> {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: 'cosession', sub: 'ada', iat: now, exp: now + 300, scope: 'cosession:prompt' };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: signer.kid })
        .sign(signer.privateKey);
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export async function newKey(kid: string): Promise<Key> {
  return { ...(await generateKeyPair('ES256', { extractable: true })), kid };
}

async function publicJwk({ publicKey, kid }: Key): Promise<object> {
  return { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
}
