import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startBrowser } from '../support/browser.js';
import { serveHub, token } from '../support/served-hub.js';
import { until } from '../support/until.js';

test('the library runs in a browser as it is built, with the token, on a page of the endpoint', async () => {
  const library = readFileSync('dist/client.js', 'utf8');
  expect(library).not.toMatch(/from ["']|require\(/);
  const hub = await serveHub({}, { requireToken: true });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    // What only secure pages have; a page over plain http in a local network is not secure.
    await page.addInitScript('delete Crypto.prototype.randomUUID');
    // Any page of the endpoint's origin will do.
    await page.goto(`${hub.server.url}nothing-here`);
    const talk = `(async () => {
      const { connect } = await import('data:text/javascript;base64,${Buffer.from(library).toString('base64')}');
      const session = await connect({ url: location.href.replace('nothing-here', ''), token: '${token}', client: 'page' });
      const turn = await session.prompt('hello from a page');
      return turn.done;
    })()`;
    const done = page.evaluate(talk);
    await until(() => hub.engine.started.length === 1);
    hub.engine.say('Hello, page.');
    hub.engine.end();
    expect(await done).toEqual({ state: 'completed', text: 'Hello, page.' });
  } finally {
    await browser.close();
    await hub.stop();
  }
});
