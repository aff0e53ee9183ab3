import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announce } from '../../src/discovery/discovery.js';
import { runHere } from '../support/command.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let [one, two]: ServedHub[] = [];
let stateDir: string;

beforeAll(async () => {
  [one, two] = [await serveHub({ id: 'abc-one' }, { requireToken: true }), await serveHub({ id: 'abd-two' })];
});
beforeEach(() => {
  stateDir = temporaryFolder();
});
afterAll(async () => {
  await one?.stop();
  await two?.stop();
});

/** A session is found by a file per process; this one claims to be `pid`. */
function announceAs(pid: number, hub: ServedHub | undefined, workspace: string, startedAt = '2026-01-01'): void {
  if (!hub) throw new Error('the hub has not started yet');
  const { port, url } = hub.server;
  announce(stateDir, { pid, port, url, token, workspace, sessionId: hub.session.id, startedAt });
}

/** Where a command went: it cancels nothing, and says so after it has said which session it uses. */
async function used(folder: string, ...args: string[]): Promise<string> {
  const ran = runHere('cancel', args, { stateDir, folder });
  const failure = await ran.code.then(String, (error: unknown) => (error instanceof Error ? error.message : ''));
  return failure === 'no turn is running' ? ran.errors : failure;
}

test('without any session, the advice is how to start one', async () => {
  expect(await used('/w')).toBe('no live session; start one with: cosession --a2a-port 41243');
  expect(await used('/w', 'proj')).toBe('no live session is named "proj": none is running');
});

describe('with two sessions', () => {
  let urls: readonly [string | undefined, string | undefined];
  beforeEach(() => {
    announceAs(process.pid, one, '/w/one');
    announceAs(process.ppid, two, '/w/two', '2026-01-02');
    urls = [one?.server.url, two?.server.url];
  });

  test('the one of this folder or above it is used, with its token, and named on standard error', async () => {
    expect(await used('/w/one')).toBe(`→ /w/one (${urls[0]})\n`);
    expect(await used('/w/two/deep/down')).toBe(`→ /w/two (${urls[1]})\n`);
    expect(await used('/w/twofold')).toContain('no live session in this folder');
  });

  test('in another folder they are listed, and --any takes the newest', async () => {
    const refusal = await used('/w');
    expect(refusal).toMatch(/^no live session in this folder; name one of these, or use --any for the newest:\n/);
    expect(refusal).toMatch(/\n {2}\d+ +abc-one +\/w\/one\n {2}\d+ +abd-two +\/w\/two$/);
    expect(await used('/w', '--any')).toBe(`→ /w/two (${urls[1]})\n`);
    expect(await used('/w/one', '--any')).toBe(`→ /w/one (${urls[0]})\n`);
  });

  test.each([
    ['its folder', () => '/w/one'],
    ['its folder, seen from here', () => '../one'],
    ['the name of its folder', () => 'one'],
    ['its port', () => String(one?.server.port)],
    ['its address', () => one?.server.url ?? ''],
    ['the beginning of its id', () => 'abc'],
  ])('one is named by %s, as operand or with --session', async (_, name) => {
    expect(await used('/w/two', name())).toBe(`→ /w/one (${urls[0]})\n`);
    expect(await used('/w/two', '--session', name())).toBe(`→ /w/one (${urls[0]})\n`);
  });

  test('a name that fits both or none is refused', async () => {
    expect(await used('/w/two', 'ab')).toMatch(/^2 live sessions match "ab":\n/);
    expect(await used('/w/two', 'nonsense')).toMatch(/^no live session is named "nonsense"; these are running:\n/);
  });

  test('words of a prompt never name a session', async () => {
    const sending = runHere('send', ['one', 'more', 'thing', '--session', 'two'], { stateDir, folder: '/' });
    await expect.poll(() => two?.engine.started.map(({ text }) => text)).toEqual(['one more thing']);
    expect(two?.session.story.find((event) => event.type === 'prompt')).toMatchObject({
      origin: { client: 'ada@laptop' },
    });
    two?.engine.end();
    expect(await sending.code).toBe(0);
  });
});

test('a token is looked up for an address on this machine and for no other', async () => {
  announceAs(process.pid, one, '/w/one');
  const url = one?.server.url ?? '';
  expect(await used('/', url)).toBe(`→ /w/one (${url})\n`);
  const unlisted = runHere('cancel', [url]);
  await expect(unlisted.code).rejects.toMatchObject({ code: 'token-required' });
});
