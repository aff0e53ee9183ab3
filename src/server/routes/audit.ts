import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { auditActions, type AuditEntry, type AuditLog } from '../../domain/audit.js';
import { AppError } from '../../domain/errors.js';
import { check } from '../../dialects/shared/message.js';
import { type Route, route } from './route.js';

export type AuditContext = { readonly audit?: AuditLog };

const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text).toISOString());

const auditQuery = z.object({
  since: time.exactOptional(),
  until: time.exactOptional(),
  action: z.enum(auditActions).exactOptional(),
  principal: z.string().min(1).max(256).exactOptional(),
  taskId: z.string().min(1).max(256).exactOptional(),
});

/** For operators: who did what. */
export const auditRoutes: readonly Route<AuditContext>[] = [
  route({
    name: 'getAudit',
    method: 'GET',
    path: '/audit',
    scope: 'admin',
    summary: 'Who connected, prompted, answered, cancelled, deleted or was refused, oldest first',
    query: auditQuery,
    answer: { status: 200, meaning: 'one JSON object per line', mediaType: 'application/jsonl' },
    async handle({ audit }: AuditContext, request, response) {
      if (!audit) throw new AppError('not-found', 'this server keeps no audit log');
      const query = check(auditQuery, request.query, 'the query');
      response.type('application/jsonl');
      // A reader that has left is not a failure.
      await pipeline(Readable.from(linesOf(audit.read(query))), response).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
      });
    },
  }),
];

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncIterable<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
