import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The protocol's own SDK, as core uses it. */
const sdk = createRequire(createRequire(import.meta.url).resolve('@google/gemini-cli-core'));
const urlOf = (file: string): string => pathToFileURL(sdk.resolve(`@modelcontextprotocol/sdk/${file}`)).href;

/** The program of an MCP server with two prompts. */
export const mcpPromptProgram = `
import { Server } from '${urlOf('server/index.js')}';
import { StdioServerTransport } from '${urlOf('server/stdio.js')}';
import { GetPromptRequestSchema, ListPromptsRequestSchema } from '${urlOf('types.js')}';

const server = new Server({ name: 'reviews', version: '1.0.0' }, { capabilities: { prompts: {} } });
const file = { name: 'file', description: 'which file', required: true };
server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [
    { name: 'review', description: 'Reviews a\\n file', arguments: [file, { name: 'depth' }] },
    { name: 'help', description: 'Has the name of another' },
  ],
}));
server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
  const text = name === 'help' ? 'Please help.' : 'Review ' + given.file + ', ' + (given.depth ?? 'not') + ' deep.';
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
});
await server.connect(new StdioServerTransport());
`;
