import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '@google/gemini-cli-core';
import { loadScript } from '../../src/boot/load-script.js';
import { type Core } from '../../src/engine/headless/core/core.js';
import { openConfig } from '../../src/engine/headless/core/open-config.js';
import { sessionSettings } from '../../src/engine/headless/settings/session-settings.js';

/** The floor: the same core with the same settings, a loop over its events, and one write for each. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package, bundled
const core = loadScript(fileURLToPath(new URL('../../dist/core/core.cjs', import.meta.url))) as Core;
const { env } = process;
const workspace = process.cwd();

createServer((request, response) => {
  if (request.method === 'GET') response.end('{}');
  else void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
}).listen(Number(env['CODER_AGENT_PORT']), '127.0.0.1');

/** Conversations that a client named. */
const conversations = new Map<string, Config>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, contextId } = JSON.parse(await bodyOf(request)) as { prompt: string; contextId?: string };
  const config = conversations.get(contextId ?? '') ?? (await newConfig());
  if (contextId !== undefined) conversations.set(contextId, config);
  const promptId = `${config.getSessionId()}########1`;
  const stream = config.geminiClient.sendMessageStream([{ text: prompt }], new AbortController().signal, promptId);
  for await (const event of stream) {
    if (event.type === core.GeminiEventType.Content) response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
  if (contextId === undefined) await config.dispose();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const data of request as AsyncIterable<Buffer>) text += data.toString();
  return text;
}

async function newConfig(): Promise<Config> {
  const home = env['GEMINI_CLI_HOME'] ?? homedir();
  const settings = await sessionSettings(core, { workspace, home, env, platform: process.platform, trust: 'settings' });
  const { isTrusted, fromSettings, policySettings, approvalMode, authType } = settings;
  const { GEMINI_API_KEY: apiKey = '', GOOGLE_GEMINI_BASE_URL: baseUrl = '', GEMINI_MODEL: model = '' } = env;
  const credentials = { apiKey, baseUrl, ...(authType === undefined ? {} : { authType }) };
  const sessionId = randomUUID();
  const clientVersion = '0.0.0';
  return openConfig(core, {
    sessionId,
    workspace,
    scratch: join(home, 'scratch'),
    model,
    approvalMode,
    isTrusted,
    credentials,
    clientVersion,
    fromSettings,
    policySettings,
  });
}
