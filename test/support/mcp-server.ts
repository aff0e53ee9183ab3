/**
 * The program of the smallest MCP server there can be: one tool named "hello". On standard input and output, or with the
 * argument "http" on a port that it prints. It notes its folder in the file STARTED, and tells who called it.
 */
export const mcpServerProgram = `
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const { STARTED, CALLER = 'nobody' } = process.env;
if (STARTED) writeFileSync(STARTED, process.cwd());

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tiny', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'hello', description: 'greets', inputSchema: { type: 'object' } }] }),
  'tools/call': (_, caller) => ({ content: [{ type: 'text', text: 'hello ' + caller }] }),
};

function reply(message, caller) {
  const { id, method, params } = JSON.parse(message);
  if (id === undefined) return undefined;
  const answer = answers[method];
  const body = answer ? { result: answer(params ?? {}, caller) } : { error: { code: -32601, message: 'no ' + method } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...body });
}

if (process.argv[2] === 'http') {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const body = reply((await request.toArray()).join(''), request.headers['x-caller']);
    response.writeHead(body ? 200 : 202, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const body = reply(line, CALLER);
    if (body) process.stdout.write(body + '\\n');
  });
}
`;
