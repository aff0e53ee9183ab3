import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { useLive } from '../support/use-live.js';

const write = (file: string) => [call('write_file', { file_path: file, content: 'new\n' })];
const session = useLive({
  script: scriptOf({ fresh: write('fresh.txt'), empty: write('empty.txt') }),
  inWorkspace: (folder) => writeFileSync(join(folder, 'empty.txt'), ''),
});

type Asked = { options: { id: string }[]; details: { file_edit_details: Record<string, unknown> } };

test('clients are offered what they can use, and their version of a file is written', async () => {
  const client = await session.connect();
  await client.prompt('a fresh file');
  const asked = await client.pending();
  const { options, details } = asked['confirmation_request'] as Asked;
  expect(options.map(({ id }) => id)).not.toContain('modify_with_editor');
  expect(details.file_edit_details).toMatchObject({ file_name: 'fresh.txt', new_content: 'new\n' });
  expect(details.file_edit_details).not.toHaveProperty('old_content');
  await client.answer(asked['tool_call_id'], 'proceed_once', { file_details: { new_content: 'mine\n' } });
  expect((await client.tool('SUCCEEDED'))['output']).not.toHaveProperty('diff.old_content');
  await client.state('completed');
  expect(readFileSync(join(session.live.workspace, 'fresh.txt'), 'utf8')).toBe('mine\n');
});

test('a file that is there and empty has its old content', async () => {
  const client = await session.connect();
  await client.prompt('the empty file');
  const { details } = (await client.pending())['confirmation_request'] as Asked;
  expect(details.file_edit_details).toMatchObject({ old_content: '' });
  await client.call('tasks/cancel');
  await client.state('canceled');
});
