// What the agent says and does in the pictures: a small change to a small project.
import type { Script } from '../../src/demo/model-server.js';
import { call, type ScriptedReply, stream, think } from '../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';

export const prompts = {
  explain: 'Tell me where we retry, and how',
  change: 'Make the transport retry with backoff',
  ship: 'Run the tests and push',
};

/** The sessions of the list, the oldest first. */
export const listPrompts = [
  prompts.explain,
  'Why did the nightly build fail?',
  'Name the fields of the new event',
  'Choose a store for the queue',
  prompts.change,
  prompts.ship,
];

const explanation = `Three places retry today, and each has rules of its own:

| where | tries | waits |
| --- | --- | --- |
| \`transport.ts\` | 1 | never |
| \`upload.ts\` | 5 | 1 s, always |
| \`poll.ts\` | no end | 250 ms, doubled |

One helper could serve all of them:

\`\`\`ts
export async function withRetry<T>(run: () => Promise<T>, tries = 4): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === tries || !isTemporary(error)) throw error;
      await sleep(backoff(attempt));
    }
  }
}
\`\`\`

- Only \`429\`, \`502\`, \`503\` and \`504\` are temporary. A refused token is not.
- A random part in the delay keeps clients from coming back all at once.
- \`Retry-After\` wins over our own delay if the server sends it.

I would start with \`transport.ts\`: it gives up at the first error.`;

const before = `export type Call = { readonly url: string; readonly body: unknown; readonly token?: string };

/** Sends a call and returns the server's answer. */
export async function send({ url, body, token }: Call): Promise<unknown> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token) headers.authorization = \`Bearer \${token}\`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) {
    throw new TransportError(response.status, await response.text());
  }
  return response.json();
}

export class TransportError extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(\`the server answered \${status}\`);
  }
}
`;

const after = `import { sleep } from './sleep.js';

export type Call = { readonly url: string; readonly body: unknown; readonly token?: string };

/** A later attempt may succeed. */
const temporary = new Set([429, 502, 503, 504]);
const tries = 4;
const firstMs = 200;

/** Sends a call and returns the server's answer. */
export async function send({ url, body, token }: Call): Promise<unknown> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token) headers.authorization = \`Bearer \${token}\`;
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.ok) return response.json();
    if (!temporary.has(response.status) || attempt === tries) {
      throw new TransportError(response.status, await response.text());
    }
    await sleep(delayAfter(response, attempt));
  }
}

/** What the server asks for, or twice as long each time with a random part. */
function delayAfter(response: Response, attempt: number): number {
  const asked = Number(response.headers.get('retry-after'));
  return asked > 0 ? asked * 1000 : firstMs * 2 ** attempt * (0.5 + Math.random() / 2);
}

export class TransportError extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(\`the server answered \${status}\`);
  }
}
`;

/** The files of the project. `npm` and `git` of the pictures only print. */
export const project: Readonly<Record<string, string>> = {
  'src/transport.ts': before,
  'src/sleep.ts': 'export const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));\n',
  'package.json': `${JSON.stringify({ name: 'courier', type: 'module', scripts: { test: 'sh test.sh' } }, null, 2)}\n`,
  'test.sh': `for t in "sends a call" "retries 503" "retries 429 after Retry-After" "gives up after four tries" "does not retry 401" "keeps the body of the failure"; do
  echo "  ✓ $t"; sleep 0.6
done
sleep 20
`,
};

const command =
  'npm test --silent -- test/transport && git add -A && git commit -qm "Retry temporary failures" && git push origin retry';

/** Slow enough to take a picture in the middle. */
const pauseMs = 60;

export const storyScript: Script = (request) => {
  const result = lastToolResult(request);
  return { pauseMs, ...(result ? afterTool(result.name) : answerTo(lastPrompt(request))) };
};

function answerTo(prompt: string): ScriptedReply {
  if (prompt.includes(prompts.explain)) {
    return { chunks: [[think('Collecting facts', 'Three files call fetch in a loop.')], ...stream(explanation)] };
  }
  if (prompt.includes(prompts.change)) {
    return {
      chunks: [
        [think('Reading the transport', 'It gives up at the first 503.')],
        ...stream('`send` gives up at the first `503`. I will read it before I change it.'),
        [call('read_file', { file_path: 'src/transport.ts' })],
      ],
    };
  }
  if (prompt.includes(prompts.ship)) {
    const description = 'Run the tests of the transport, then commit and push the branch';
    return {
      chunks: [
        ...stream('I will run the tests of the transport.'),
        [call('run_shell_command', { command, description })],
      ],
    };
  }
  if (prompt.includes('store')) {
    const options = [
      { label: 'SQLite', description: 'A file beside the program' },
      { label: 'Postgres', description: 'A server that is there already' },
    ];
    const question = { question: 'Which store shall the queue use?', header: 'Store', type: 'choice', options };
    return { chunks: [[call('ask_user', { questions: [question] })]] };
  }
  if (prompt.includes('nightly')) {
    return { chunks: stream('The runner had no disk space left. Nothing in the code has changed since Tuesday.') };
  }
  if (prompt.includes('fields')) {
    return {
      chunks: stream('`at` for the time, `by` for the person, `seq` for the order. All three exist elsewhere.'),
    };
  }
  return { chunks: stream('What shall I do next?') };
}

function afterTool(name: string): ScriptedReply {
  if (name === 'read_file') {
    return {
      chunks: [
        [think('Choosing the place', 'Around fetch, so that every caller gains.')],
        ...stream(
          'I will retry the four statuses that are temporary, with a growing delay, and leave the rest as it is.',
        ),
        [call('write_file', { file_path: 'src/transport.ts', content: after })],
      ],
    };
  }
  return {
    chunks: stream(
      '`send` now tries four times and keeps to `Retry-After`. Its callers need no change. Shall I run the tests?',
    ),
  };
}
