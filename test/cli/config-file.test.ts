import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/argv/commands.js';
import { readConfigFile } from '../../src/cli/argv/config-file.js';
import { parseCommand } from '../../src/cli/argv/parse.js';
import { UsageError } from '../../src/util/usage-error.js';
import { outputOf, runHere } from '../support/command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'cosession.toml');
  writeFileSync(file, text);
  return file;
}

const everyType = `
port = 4000                # a number
host = "10.0.0.1"
allow-host = ["a.example", "b.example"]
require-token = true
idle-minutes = 1.5
`;

test('a file sets flags of every type; variables win over it, and flags over both', async () => {
  const config = await readConfigFile(fileWith(everyType), commands.serve.flags);
  const read = (argv: readonly string[], env = {}) => parseCommand('serve', commands.serve, argv, env, config).flags;
  expect(read([])).toMatchObject({
    port: 4000,
    host: '10.0.0.1',
    allowHosts: ['a.example', 'b.example'],
    requireToken: true,
    idleMs: 90_000,
    maxRunning: 32,
  });
  expect(read([], { CODER_AGENT_PORT: '5000', COSESSION_REQUIRE_TOKEN: '0' })).toMatchObject({
    port: 5000,
    requireToken: false,
  });
  expect(read(['--port', '6000', '--allow-host', 'c'], { CODER_AGENT_PORT: '5000' })).toMatchObject({
    port: 6000,
    allowHosts: ['c'],
  });
});

test('config check names what a file sets', async () => {
  const file = fileWith(everyType);
  expect(await outputOf('config', ['check', file])).toBe(
    `${file} is valid: it sets port, host, allow-host, require-token, idle-minutes.\n`,
  );
});

test.each([
  ['prot = 1', 'there is no setting "prot"; did you mean "port"?'],
  ['max_running = 1', 'there is no setting "max_running"; did you mean "max-running"?'],
  ['[limits]\nport = 1', 'there is no setting "limits"'],
  ['config = "x"', 'there is no setting "config"'],
  ['require-token = "yes"', 'require-token must be true or false'],
  ['port = [1]', 'port must be a text or a number'],
  ['port = 99999', 'port must be'],
  ['max-running = "many"', 'max-running must be a number, got "many"'],
  ['log-level = "loud"', 'log-level must be debug, info or error'],
  ['oidc-issuer = "https://issuer.example"', '--oidc-issuer needs --oidc-audience'],
  ['port =', 'is not valid TOML'],
])('%s is refused', async (text, why) => {
  const checking = runHere('config', ['check', fileWith(text)]).code;
  await expect(checking).rejects.toThrow(UsageError);
  await expect(checking).rejects.toThrow(why);
});

test('a missing file is named, and serve reads the file of --config before it starts', async () => {
  await expect(runHere('config', ['check', '/nowhere.toml']).code).rejects.toThrow('/nowhere.toml cannot be read');
  const started = runHere('serve', ['--config', fileWith('prot = 1')]).code;
  await expect(started).rejects.toThrow('did you mean "port"?');
});
