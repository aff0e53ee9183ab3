import { format, resolveConfig } from 'prettier';
import { asyncApi, openApi } from '../../src/server/api-documents.js';
import { liveApi } from '../../src/server/api-paths.js';
import { apiExamples } from './api-examples.js';
import { fieldTable, type Schema } from './field-table.js';

type Operation = { readonly summary: string; readonly responses: Readonly<Record<string, { description: string }>> };
type Message = { readonly name: string; readonly summary?: string; readonly payload: Schema };

/** docs/http-api.md: what `/openapi.json` of the live endpoint says, to be read. */
export async function httpApiPage(): Promise<string> {
  const { paths } = openApi('', 'http://127.0.0.1:41243/', liveApi) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, responses }]) => {
      const answers = Object.entries(responses)
        .filter(([status]) => status !== 'default')
        .map(([status, { description }]) => `${status}: ${description}`);
      return `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${answers.join('; ')} |`;
    }),
  );
  return page('# HTTP API of the live endpoint', '/openapi.json', [
    'What goes wrong is answered as [errors.md](errors.md) lists it.',
    '',
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
  const messages = Object.values(channels.session.messages);
  const requests = messages.filter(({ name }) => name.includes('/'));
  return page('# WebSocket API', '/asyncapi.json', [
    ...intro,
    '## Requests',
    ...requests.flatMap(sectionOf),
    '## Events and notices',
    ...messages.filter((message) => !requests.includes(message)).flatMap(sectionOf),
  ]);
}

const intro = [
  'One frame is one JSON object. A request is JSON-RPC 2.0, `{"jsonrpc":"2.0","id":1,"method":…,"params":…}`; the tables show its',
  '`params`. With an `id` it is replied to; without one a failure comes as `ERROR` to this client alone.',
  '',
  'Every event has a `kind`, the `taskId` of its session, a `seq` (1, 2, 3 … without gaps; the cursor to resume from with',
  '`?after=` or `tasks/resubscribe`) and, within a turn, its `turnId`. The tables leave these out. In a table `?` marks what may be',
  'absent, `a.b` is in `a`, `a[].b` in each of the list `a`. The schemas themselves are in `GET /asyncapi.json`.',
  '',
];

/** What every event has is told once, and so is a tool call. */
const toldElsewhere: Readonly<Record<string, readonly string[]>> = { SNAPSHOT: ['kind', 'taskId', 'pending[].'] };
const toldOnce = ['kind', 'taskId', 'seq', 'turnId'];

function sectionOf({ name, summary, payload }: Message, _index: number, all: readonly Message[]): string[] {
  const example = apiExamples[name];
  if (!summary || !example) throw new Error(`${name} needs a summary and an example`);
  const schema = paramsOf(payload);
  const first = all.find((other) => JSON.stringify(paramsOf(other.payload)) === JSON.stringify(schema))?.name;
  const table = fieldTable(schema, toldElsewhere[name] ?? toldOnce);
  const fields = first === name ? table : [`Its fields are those of \`${first}\`.`, ''];
  const sentence = `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
  return [`### \`${name}\``, '', sentence, '', ...fields, '```json', JSON.stringify(example), '```', ''];
}

function paramsOf(payload: Schema): Schema {
  return payload.properties?.['params'] ?? payload;
}

async function page(title: string, source: string, body: readonly string[]): Promise<string> {
  const text = `${title}\n\nMade by \`npm run docs\` from the schemas that check requests, like \`GET ${source}\`.\n\n${body.join('\n')}\n`;
  return format(text, { ...(await resolveConfig('docs/errors.md')), parser: 'markdown' });
}
