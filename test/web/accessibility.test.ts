import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../support/browser.js';
import { prompt, tui } from '../support/hub.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { faultsOf } from './faults.js';
import { visit, wholePage } from '../support/page.js';
import { serveHub, type ServedHub } from '../support/served-hub.js';

let browser: Browser;
let hub: ServedHub;

/** A session with one of everything. It waits for two answers. */
beforeAll(async () => {
  browser = await startBrowser();
  hub = await serveHub({}, wholePage());
  hub.session.submit(prompt('Everything, please', tui));
  hub.engine.report({ type: 'thought', subject: 'Thinking', description: 'a moment' });
  hub.engine.say(
    '# Title\n\nText with `code`, [a link](https://example.com) and\n\n> a quote\n\n- one\n- two\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1; // why\n```\n',
  );
  const { approval: _, ...call } = waitingShell('done');
  hub.engine.report({
    type: 'tool',
    call: { ...call, status: 'succeeded', output: { kind: 'text', text: 'a\n'.repeat(20) } },
  });
  hub.engine.report({ type: 'tool', call: { ...call, id: 'bad', status: 'failed', error: { message: 'it broke' } } });
  hub.session.submit(prompt('And then?', tui));
  hub.engine.report({ type: 'tool', call: waitingEdit() }, { type: 'tool', call: waitingShell() });
});
afterAll(async () => {
  await browser.close();
  await hub.stop();
});

const looks = (['phone', 'desk'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ size, theme })),
);

describe.each(looks)('on a $size, $theme', ({ size, theme }) => {
  test('no screen has a barrier, scrolls sideways or has a target that is too small', async () => {
    const { page, problems } = await visit(browser, hub.server.url, { size, theme });
    // The page's own policy lets no other script in.
    await page.addInitScript(axe.source);
    await page.reload();
    await page.locator('.sheet .diff').waitFor();
    const found: Record<string, unknown> = {};
    const look = async (screen: string): Promise<void> => {
      const faults = await faultsOf(page);
      if (faults.length > 0) found[screen] = faults;
    };
    await look('a change is asked for');
    await page.locator('.sheet').getByRole('button', { name: 'Edit' }).click();
    await page.fill('.ed textarea', 'mine');
    await look('edited');
    await page.locator('.sheet').getByRole('button', { name: 'Next question' }).click();
    await page.locator('.sheet .cmd').waitFor();
    await look('a command is asked for');
    await page.locator('.sheet').getByRole('button', { name: 'More answers' }).click();
    await look('more answers');
    await page.locator('.sheet').getByRole('button', { name: 'Deny and say why' }).click();
    await look('deny and say why');
    await page.locator('.sheet').getByRole('button', { name: 'Fold' }).click();
    await page.locator('.folded').waitFor();
    await look('folded');
    await page.locator('.md table').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.palette li').first().waitFor();
    await look('palette');
    expect(found).toEqual({});
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
