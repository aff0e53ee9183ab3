import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serveHub, token } from '../support/served-hub.js';

const run = promisify(execFile);
const nobody = 65_534;

/** Asks for the card as another user of this machine. */
async function cardAs(uid: number, url: string, headers: Record<string, string>): Promise<number> {
  const code = `fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(headers)} }).then((r) => console.log(r.status))`;
  const { stdout } = await run(process.execPath, ['-e', code], { uid, gid: uid, cwd: '/' });
  return Number(stdout);
}

test('another user of this machine is refused, unless the token was shared', async () => {
  const hub = await serveHub();
  const card = `${hub.base}/.well-known/agent-card.json`;
  expect(await cardAs(nobody, card, {})).toBe(403);
  expect(await cardAs(nobody, card, { authorization: `Bearer ${token}` })).toBe(200);
  expect(await cardAs(process.getuid?.() ?? 0, card, {})).toBe(200);
  await hub.stop();
});
