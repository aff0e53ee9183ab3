import { format, resolveConfig } from 'prettier';
import { asyncApi, openApi } from '../../src/server/api-documents.js';
import { liveApi } from '../../src/server/api-paths.js';

type Operation = { readonly summary: string; readonly responses: Readonly<Record<string, { description: string }>> };
type Message = { readonly name: string; readonly payload: object };

/** docs/http-api.md: what `/openapi.json` of the live endpoint says, to be read. */
export async function httpApiPage(): Promise<string> {
  const { paths } = openApi('', 'http://127.0.0.1:41243/', liveApi) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, responses }]) => {
      const answers = Object.entries(responses).map(([status, { description }]) => `${status}: ${description}`);
      return `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${answers.join('; ')} |`;
    }),
  );
  return page('# HTTP API of the live endpoint', '/openapi.json', [
    '| route | what | answers |',
    '| --- | --- | --- |',
    ...rows,
  ]);
}

/** docs/websocket-api.md: what `/asyncapi.json` says, to be read. */
export async function webSocketApiPage(): Promise<string> {
  const { channels } = asyncApi('', '127.0.0.1:41243') as unknown as {
    channels: { session: { messages: Record<string, Message> } };
  };
  const sections = Object.values(channels.session.messages).flatMap(({ name, payload }) => [
    `## \`${name}\``,
    '```json',
    JSON.stringify(payload, null, 2),
    '```',
  ]);
  return page('# WebSocket API', '/asyncapi.json', sections);
}

async function page(title: string, source: string, body: readonly string[]): Promise<string> {
  const text = `${title}\n\nMade by \`npm run docs\` from the schemas that check requests, like \`GET ${source}\`.\n\n${body.join('\n')}\n`;
  return format(text, { ...(await resolveConfig('docs/errors.md')), parser: 'markdown' });
}
