// The list of a server with several sessions, and Share over one of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../../src/client/node.js';
import { startModelServer } from '../../test/support/model-server.js';
import { visit } from '../../test/support/page.js';
import { spawnServe } from '../../test/support/spawn-serve.js';
import { until } from '../../test/support/until.js';
import { listPrompts, project, storyScript } from './story.js';

type ListPictures = {
  readonly browser: Browser;
  readonly folder: string;
  readonly save: (page: Page, name: string) => Promise<unknown>;
};

export async function takeListPictures({ browser, folder, save }: ListPictures): Promise<void> {
  const workspace = join(folder, 'workspace');
  for (const [name, text] of Object.entries(project)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const model = await startModelServer(storyScript);
  let kill = (): void => {};
  const served = await spawnServe({ folder, modelUrl: model.url }, (child) => (kill = () => child.kill('SIGKILL')));
  for (const [index, words] of listPrompts.entries()) {
    const taskId = `session-${index}`;
    await served.post('tasks', { contextId: taskId });
    const session = await connect({ url: served.url, taskId, client: 'laptop' });
    (await session.prompt(words)).done.catch(() => {});
    await until(() => session.pending.length > 0 || session.state === 'completed');
    session.close();
  }
  const { page } = await visit(browser, served.url, { name: 'laptop', size: 'desk' });
  await until(async () => (await page.locator('.srow').count()) === listPrompts.length);
  await page.locator('[data-answer=a]:enabled').first().waitFor();
  await save(page, 'list');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.locator('.qr path').waitFor();
  await save(page, 'share');
  await page.context().close();
  kill();
  await model.close();
}
