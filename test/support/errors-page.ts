import { format, resolveConfig } from 'prettier';
import { errorTable } from '../../src/server/error-table.js';

/** docs/errors.md, made from the table that the server itself uses. */
export async function errorsPage(): Promise<string> {
  const rows = Object.entries(errorTable).map(
    ([code, { http, rpc, meaning }]) => `| \`${code}\` | ${http} | ${rpc} | ${meaning} |`,
  );
  const page = `# Errors

Made by \`npm run docs\` from \`src/server/error-table.ts\`.

HTTP errors are JSON: \`{"error":{"code":"already-answered","message":"…"}}\`, some with more facts beside the message.
On \`/ws\` a request with an \`id\` gets a JSON-RPC error with the number below and \`data.code\`; a request without one gets
\`{"kind":"ERROR","code":<number>,"message":"…","taskId":"…"}\`, to that client alone. No error carries a stack trace.

| code | HTTP | JSON-RPC | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  return format(page, { ...(await resolveConfig('docs/errors.md')), parser: 'markdown' });
}
