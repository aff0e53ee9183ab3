import { expect, test } from 'vitest';
import { toolEnv } from '../../../../src/engine/headless/settings/tool-env.js';

const secrets = [
  'COSESSION_TOKEN COSESSION_STORE GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS',
  'AWS_ACCESS_KEY_ID AWS_PROFILE GITHUB_TOKEN NPM_TOKEN CLIENT_SECRET DB_PASSWORD PGPASSWORD',
  'DATABASE_URL POSTGRES_URL REDIS_URL MONGODB_URI SENTRY_DSN SESSION_COOKIE STRIPE_API_KEY',
  'SSH_AUTH_SOCK npm_config__auth OPENAI_API_KEY token Api_Key',
].flatMap((line) => line.split(' '));

const harmless = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL', 'PWD', 'JAVA_HOME', 'SSL_CERT_FILE'];

const env = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `value of ${name}`]));

test.each(secrets)('%s of the server reaches no tool, nor does it from .env', (name) => {
  expect(toolEnv({ env: env([name]), dotEnv: {} })).toEqual({});
  expect(toolEnv({ env: {}, dotEnv: env([name]) })).toEqual({});
});

test.each(harmless)('%s reaches tools', (name) => {
  expect(toolEnv({ env: env([name]), dotEnv: {} })).toEqual(env([name]));
});

test('of the server only what is known passes, of .env all that is no secret', () => {
  expect(toolEnv({ env: env(['MY_SETTING']), dotEnv: {} })).toEqual({});
  expect(toolEnv({ env: {}, dotEnv: env(['MY_SETTING', 'MONKEY', 'AUTHOR']) })).toEqual(
    env(['MY_SETTING', 'MONKEY', 'AUTHOR']),
  );
  expect(toolEnv({ env: {}, dotEnv: { UPSTREAM: 'https://me:secret@host/x', PLAIN: 'https://host/x' } })).toEqual({
    PLAIN: 'https://host/x',
  });
});

test('.env does not replace what is set', () => {
  expect(toolEnv({ env: { PATH: '/bin' }, dotEnv: { PATH: '/evil' } })).toEqual({ PATH: '/bin' });
});

test('the operator can name what passes and what does not, but not the secrets of the server itself', () => {
  const all = env(['GITHUB_TOKEN', 'COSESSION_TOKEN', 'HOME']);
  const allowed = ['GITHUB_TOKEN', 'COSESSION_TOKEN'];
  expect(toolEnv({ env: all, dotEnv: {}, allowed, blocked: ['HOME'] })).toEqual(env(['GITHUB_TOKEN']));
});
