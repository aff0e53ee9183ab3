import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(() => ({ chunks: [[{ text: 'Yes.' }]] }));
afterAll(() => model.close());

/** What a workspace can bring, and the words of it that the model is sent. */
const brought = {
  'GEMINI.md': 'Sing like a wren.',
  '.gemini/skills/knots/SKILL.md': '---\nname: knots\ndescription: Ties a bowline.\n---\nHow to.',
  '.agents/skills/sails/SKILL.md': '---\nname: sails\ndescription: Reefs a mainsail.\n---\nHow to.',
  'chart-of-the-coast.txt': '',
} as const;
const seen = ['Sing like a wren.', 'Ties a bowline.', 'Reefs a mainsail.', 'chart-of-the-coast.txt'];
/** Core loads gRPC only for remote agents. */
const pilot = {
  name: 'pilot',
  description: 'Knows the harbour.',
  version: '1',
  protocolVersion: '0.3.0',
  url: '127.0.0.1:9',
  preferredTransport: 'GRPC',
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
/** From core's own files, which are read once. */
const ownSkill = 'skill-creator';

test('a new task has what its workspace and the user bring now, whatever earlier tasks had', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url });
  const write = (root: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, root, name)), { recursive: true });
      writeFileSync(join(folder, root, name), text);
    }
  };
  const asked = async (contextId: string): Promise<string> => {
    const userMessage = { kind: 'text-content', text: 'Ready?' };
    await (await served.post('message/stream', { contextId, userMessage })).text();
    return JSON.stringify(model.requests.at(-1));
  };

  const bare = await asked('bare');
  expect(bare).toContain(ownSkill);
  expect(bare).toContain('run_shell_command');
  expect(seen.filter((words) => bare.includes(words))).toEqual([]);

  write('workspace', brought);
  write('workspace', { '.gemini/settings.json': JSON.stringify({ tools: { exclude: ['ShellTool'] } }) });
  const rich = await asked('rich');
  expect(rich).toContain(ownSkill);
  expect(seen.filter((words) => !rich.includes(words))).toEqual([]);
  expect(rich).not.toContain('"name":"run_shell_command"');

  write('workspace', {
    'GEMINI.md': 'Croak like a raven.',
    '.gemini/settings.json': '{"skills":{"disabled":["skill-creator"]}}',
  });
  write('home', {
    '.gemini/GEMINI.md': 'Bark like a fox.',
    '.gemini/agents/lookout.md': '---\nname: lookout\ndescription: Spots a reef.\n---\nLook.',
    '.gemini/agents/pilot.md': `---\nkind: remote\nname: pilot\nagent_card_json: '${JSON.stringify(pilot)}'\n---\n`,
  });
  rmSync(join(folder, 'workspace', '.gemini', 'skills'), { recursive: true });
  const changed = await asked('changed');
  expect(changed).toContain('Croak like a raven.');
  expect(changed).toContain('Bark like a fox.');
  expect(changed).toContain('Spots a reef.');
  expect(changed).toContain('Knows the harbour.');
  expect(changed).toContain('"name":"run_shell_command"');
  expect(changed).not.toContain('Sing like a wren.');
  expect(changed).not.toContain('Ties a bowline.');
  expect(changed).not.toContain(ownSkill);

  write('workspace', { '.gemini/settings.json': '{}' });
  expect(await asked('as before')).toContain(ownSkill);
});
