import { createHmac } from 'node:crypto';
import { exportSPKI, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { oidc, type OidcOptions } from '../../src/auth/oidc.js';
import { newKey, openIssuer } from '../support/issuer.js';

let issuer: Awaited<ReturnType<typeof openIssuer>>;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());
afterEach(() => {
  issuer.setDown(false);
  vi.useRealTimers();
});

const open = (more: Partial<OidcOptions> = {}) => oidc({ issuer: issuer.url, audience: 'cosession', ...more });
const bring = (token: string) => ({ token, header: () => undefined });
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

test('a token of the issuer is recognised, its keys found by discovery', async () => {
  const { host } = new URL(issuer.url);
  const exp = inSeconds(300);
  expect(await open().authenticate(bring(await issuer.sign({ exp })))).toEqual({
    id: `oidc:${host}:ada`,
    scopes: ['prompt'],
    via: 'oidc',
    expiresAt: new Date(exp * 1000).toISOString(),
  });
});

test('keys are fetched once, not per token', async () => {
  const authenticator = open({ jwksUrl: `${issuer.url}/keys` });
  const before = issuer.keyRequests;
  const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign()));
  await Promise.all(tokens.map((token) => authenticator.authenticate(bring(token))));
  expect(issuer.keyRequests - before).toBe(1);
});

test('tokens with unknown keys do not have the keys fetched again and again', async () => {
  const authenticator = open({ jwksUrl: `${issuer.url}/keys` });
  await authenticator.authenticate(bring(await issuer.sign()));
  const before = issuer.keyRequests;
  const stranger = await newKey('stranger');
  const forged = await Promise.all(Array.from({ length: 20 }, () => issuer.sign({}, stranger)));
  const refused = await Promise.allSettled(forged.map((token) => authenticator.authenticate(bring(token))));
  expect(refused.map(({ status }) => status)).not.toContain('fulfilled');
  expect(issuer.keyRequests - before).toBe(0);
});

test.each(['', 'opaque', 'cos_ci_secret', 'a.b'])('what is no JWT ("%s") is left to others', async (token) => {
  expect(await open().authenticate(bring(token))).toBeUndefined();
  expect(await open().authenticate({ header: () => undefined })).toBeUndefined();
});

describe('scopes come from the claims of the issuer', () => {
  test.each<[string, object, Partial<OidcOptions>, string[]]>([
    ['scope, words', { scope: 'openid cosession:view cosession:approve' }, {}, ['view', 'approve']],
    ['scp, words', { scope: undefined, scp: 'cosession:prompt' }, {}, ['prompt']],
    ['scp, a list', { scope: undefined, scp: ['cosession:prompt', 'other'] }, {}, ['prompt']],
    ['roles', { scope: undefined, roles: ['cosession:admin'] }, {}, ['admin']],
    ["another application's admin", { scope: 'admin', roles: ['admin'] }, {}, []],
    ['without a prefix', { scope: 'view' }, { scopePrefix: '' }, ['view']],
    ['a claim of its own', { grants: ['cosession:view'] }, { scopeClaim: 'grants' }, ['view']],
    ['a claim with dots in its name', { 'https://x.y/r': 'cosession:view' }, { scopeClaim: 'https://x.y/r' }, ['view']],
    ['a claim inside another', { a: { roles: ['cosession:view'] } }, { scopeClaim: 'a.roles' }, ['view']],
    ['a claim that is not there', {}, { scopeClaim: 'a.roles' }, []],
    ['a claim of another type', { scope: 7, scp: { prompt: true } }, {}, []],
    ['a scope that does not exist', { scope: 'cosession:root' }, {}, []],
  ])('%s', async (_name, claims, options, scopes) => {
    const principal = await open(options).authenticate(bring(await issuer.sign({ ...claims })));
    expect(principal?.scopes).toEqual(scopes);
  });
});

describe('refused', () => {
  const payload = () => ({
    iss: issuer.url,
    aud: 'cosession',
    sub: 'ada',
    exp: inSeconds(300),
    scope: 'cosession:admin',
  });

  test.each<[string, () => Promise<string>, RegExp]>([
    ['expired', () => issuer.sign({ exp: inSeconds(-60) }), /expired/],
    ['not valid yet', () => issuer.sign({ nbf: inSeconds(120) }), /"nbf"/],
    ['without an end', () => issuer.sign({ exp: undefined }), /"exp"/],
    ['of nobody', () => issuer.sign({ sub: undefined }), /"sub"/],
    ['for another audience', () => issuer.sign({ aud: 'bank' }), /"aud"/],
    ['of another issuer', () => issuer.sign({ iss: 'https://evil.example' }), /"iss"/],
    ['not signed (alg none)', async () => new UnsecuredJWT(payload()).encode(), /must be signed with one of|not valid/],
    ['signed with our own key under a known name', async () => issuer.sign({}, await newKey('key-1')), /not valid/],
    ['signed with a key that is not published', async () => issuer.sign({}, await newKey('x')), /does not publish/],
    ['changed after signing', async () => forge(await issuer.sign(), payload()), /not valid/],
    ['no JSON', async () => 'eyJh.eyJh.eyJh', /not valid/],
    [
      'signed with HS256 and the public key as secret',
      async () => hs256(await exportSPKI(issuer.key.publicKey), payload()),
      /must be signed with one of/,
    ],
  ])('%s', async (_name, make, why) => {
    const token = await make();
    const refused = open().authenticate(bring(token));
    await expect(refused).rejects.toMatchObject({ code: 'bad-token' });
    await expect(refused).rejects.toThrow(why);
  });
});

test('a clock that is a little off is forgiven', async () => {
  expect(await open().authenticate(bring(await issuer.sign({ exp: inSeconds(-10) })))).toBeDefined();
});

test('a new key of the issuer is found without a restart; the old one is not accepted any more', async () => {
  const authenticator = open();
  const old = await issuer.sign();
  await authenticator.authenticate(bring(old));
  await issuer.rotate();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  expect(await authenticator.authenticate(bring(await issuer.sign()))).toMatchObject({ scopes: ['prompt'] });
  await expect(authenticator.authenticate(bring(old))).rejects.toThrow(/does not publish/);
});

test('an issuer that is down is not the mistake of the client, and is asked again', async () => {
  const authenticator = open();
  const token = await issuer.sign();
  issuer.setDown(true);
  await expect(authenticator.authenticate(bring(token))).rejects.toMatchObject({ code: 'auth-unavailable' });
  issuer.setDown(false);
  expect(await authenticator.authenticate(bring(token))).toBeDefined();
  issuer.setDown(true);
  expect(await authenticator.authenticate(bring(token))).toBeDefined();
});

test('discovery that names another issuer is not believed', async () => {
  const authenticator = open({ issuer: `${issuer.url}/` });
  await expect(authenticator.authenticate(bring(await issuer.sign()))).rejects.toMatchObject({
    code: 'auth-unavailable',
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function forge(token: string, payload: object): string {
  const [header = '', , signature = ''] = token.split('.');
  return `${header}.${part(payload)}.${signature}`;
}

function hs256(secret: string, payload: object): string {
  const signed = `${part({ alg: 'HS256', kid: 'key-1' })}.${part(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
