import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import { startBrowser } from '../support/browser.js';
import { prompt, tui } from '../support/hub.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { faultsOf } from './faults.js';
import { visit } from '../support/page.js';
import { serveHub, type ServedHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { wholePage } from '../support/whole-page.js';

let browser: Browser;
let hub: ServedHub;
/** Knows nobody: its page is at Pair. */
let closed: ServedHub;

/** A session with one of everything. It waits for two answers. */
beforeAll(async () => {
  browser = await startBrowser();
  const settings = wholePage();
  const audit = new AuditFolder(settings.stateDir, { onError: () => {} });
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, 'notes.md'), '');
  hub = await serveHub({ workspace }, { ...settings, audit });
  closed = await serveHub({}, { ...wholePage(), requireToken: true });
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
  const todos = ['completed', 'in_progress', 'pending', 'cancelled'].map((status) => ({ description: status, status }));
  const plan = {
    name: 'write_todos',
    args: { todos },
    status: 'succeeded',
    output: { kind: 'text', text: '' },
  } as const;
  hub.engine.report({ type: 'tool', call: { ...call, ...plan, id: 'plan' } });
  hub.session.submit(prompt('And then?', tui));
  hub.engine.report({ type: 'tool', call: waitingEdit() }, { type: 'tool', call: waitingShell() });
});
afterAll(async () => {
  await browser.close();
  await hub.stop();
  await closed.stop();
});

const looks = (['phone', 'desk'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ size, theme })),
);

/** With the part of each that is drawn last. */
const dialogs = [
  ['Share', '.qr path'],
  ['Settings', '.settings-row button'],
  ['Activity', '.activity li'],
] as const;

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
    const palette = page.locator('.palette');
    const openPalette = async (): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette.getByRole('option', { name: '/stats' }).waitFor();
    };
    await openPalette();
    await look('palette');
    for (const [name, part] of dialogs) {
      await page.getByRole('option', { name }).click();
      await page.locator('dialog').locator(part).first().waitFor();
      await look(name);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await openPalette();
    }
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await page.locator('.plan button').click();
    await page.locator('.plan .steps').waitFor();
    await page.locator('.composer textarea').pressSequentially('see @no');
    await page.locator('.mentions li').waitFor();
    await look('plan and files');
    await page.goto(closed.server.url);
    await page.locator('.pair-input').waitFor();
    await look('pair');
    await page.fill('.pair-input', 'AAAA AAAA');
    await page.getByRole('alert').waitFor();
    await look('a wrong code');
    expect(found).toEqual({});
    // The browser itself reports what the server refused.
    expect(problems.filter((problem) => !/status of 40[13]|^request:/.test(problem))).toEqual([]);
    await page.context().close();
  });
});
