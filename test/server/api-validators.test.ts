import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { asyncApi, openApi } from '../../src/server/describe/api-documents.js';
import { commonRoutes } from '../../src/server/routes/common.js';
import { liveRoutes } from '../../src/server/routes/live.js';
import { serverRoutes } from '../../src/server/routes/server.js';
import { installed, runScript } from '../support/foreign-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { patienceMs } from '../support/until.js';

/** What others validate and generate with. */
const tools = [
  '@redocly/openapi-core@2.64.0',
  '@apidevtools/swagger-parser@13.1.0',
  '@asyncapi/parser@3.6.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
];

const about = { title: 'Cosession', version: '1.0.0', url: 'http://127.0.0.1:1/', needsToken: false, security: [] };
const documents = {
  live: openApi({ ...about, routes: [...commonRoutes, ...liveRoutes] }),
  serve: openApi({ ...about, routes: [...commonRoutes, ...serverRoutes] }),
  async: asyncApi('1.0.0', '127.0.0.1:1'),
};
const folder = temporaryFolder();
const fileOf = (name: keyof typeof documents): string => join(folder, `${name}.json`);
let place: string;

beforeAll(async () => {
  place = await installed(tools);
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  }
}, patienceMs);

test.concurrent('/openapi.json has no error and no warning for Redocly, and swagger-parser accepts it', async () => {
  const script = `
    import SwaggerParser from '@apidevtools/swagger-parser';
    import { createConfig, lint } from '@redocly/openapi-core';
    const problems = [];
    for (const ref of process.argv.slice(1)) {
      await SwaggerParser.validate(ref).catch((error) => problems.push(error.message));
      const found = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
      problems.push(...found.map(({ ruleId, message }) => ruleId + ': ' + message));
    }
    console.log(JSON.stringify(problems));`;
  expect(await runScript(place, script, fileOf('live'), fileOf('serve'))).toEqual([]);
});

test.concurrent('/asyncapi.json has no error and no warning for its own parser', async () => {
  const script = `
    import { readFileSync } from 'node:fs';
    import asyncapi from '@asyncapi/parser';
    const { document, diagnostics } = await new asyncapi.Parser().parse(readFileSync(process.argv[1], 'utf8'));
    const problems = diagnostics.filter(({ severity }) => severity < 2).map(({ message }) => message);
    console.log(JSON.stringify({ operations: document?.operations().all().length, problems }));`;
  expect(await runScript(place, script, fileOf('async'))).toEqual({ operations: 2, problems: [] });
});

/** Each line is an error of the compiler if the type is \`unknown\` or has no such field. */
const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './serve.js';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:1' });
const { data: created } = await client.POST('/tasks', { body: {} });
const taskId: string = created!.taskId;
const { data: page, error } = await client.GET('/tasks', { params: { query: { limit: 10 } } });
const names: string[] = page!.tasks.map((task) => task.workspace);
const why: string = error!.error.message;
const { data: task } = await client.GET('/tasks/{taskId}', { params: { path: { taskId } } });
const option: string = task!.metadata.pending[0]!.confirmation_request.options[0]!.name;
const { data: story } = await client.GET('/tasks/{taskId}/history', { params: { path: { taskId } } });
for (const event of story!.events) if (event.kind === 'TEXT_CONTENT') console.log(event.content.text, names, why, option);
const { data: listed } = await client.GET('/listCommands');
const inner: string = listed!.commands[0]!.subCommands[0]!.name;
type Event = components['schemas']['ToolCallUpdateEvent'];
const status: Event['status'] = 'PENDING';
console.log(inner, status);
`;

test.concurrent('a client that is generated from /openapi.json has typed answers and errors', async () => {
  const script = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import openapiTS, { astToString } from 'openapi-typescript';
    const [from, to] = process.argv.slice(1);
    writeFileSync(to, astToString(await openapiTS(JSON.parse(readFileSync(from, 'utf8')))));
    console.log('true');`;
  expect(await runScript(place, script, fileOf('serve'), join(folder, 'serve.d.ts'))).toBe(true);
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(place, 'node_modules'), join(folder, 'node_modules'));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  const ran = await promisify(execFile)(process.execPath, [compiler, ...flags, 'program.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(ran.stdout).toBe('');
});
