import { expect, test } from 'vitest';
import type { WireToolCall } from '../../src/client/client.js';
import { changedFiles } from '../../src/web/session/changed-files.js';
import type { StoryTurn } from '../../src/web/story/story.js';

function turnWith(...paths: readonly string[]): StoryTurn {
  const blocks = paths.map((file_path, id) => {
    const call: WireToolCall = {
      tool_call_id: String(id),
      tool_name: 'write_file',
      input_parameters: { file_path },
      status: 'PENDING',
      metadata: {},
    };
    return { id, kind: 'tool' as const, call };
  });
  return { id: 'turn', seq: 1, state: 'completed', isOver: true, blocks };
}

test('a file that the model names in two ways is listed once', () => {
  const turns = [turnWith('/w/a.txt', 'a.txt', './a.txt', 'b.txt', '/other/a.txt')];
  expect(changedFiles(turns, '/w').map(({ path }) => path)).toEqual(['/w/a.txt', '/w/b.txt', '/other/a.txt']);
});
