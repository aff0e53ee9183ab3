import * as z from 'zod';
import { noticeSchemas } from '../../src/dialects/endpoint/notice-schemas.js';
import { eventSchemas } from '../../src/dialects/endpoint/to-wire.js';
import type { WireEvent } from './wire-client.js';

/** What is wrong with events that do not have the documented form; replies to requests are left out. */
export function undocumented(events: readonly WireEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.kind === undefined || event.kind === 'status-update') return [];
    const schema = schemaFor(event);
    if (!schema) return [`there is no kind ${event.kind}`];
    const { error } = strictly(schema).safeParse(event);
    return error ? [`${event.kind}: ${JSON.stringify(error.issues)}`] : [];
  });
}

function schemaFor({ kind, seq }: WireEvent) {
  if (kind === 'ERROR' && seq === undefined) return noticeSchemas.ERROR_REPLY;
  if (kind === 'SNAPSHOT' || kind === 'CLIENTS' || kind === 'RESYNC_REQUIRED') return noticeSchemas[kind];
  return isKind(kind) ? eventSchemas[kind] : undefined;
}

function isKind(kind: string | undefined): kind is keyof typeof eventSchemas {
  return kind !== undefined && Object.hasOwn(eventSchemas, kind);
}

/** A field that is not documented is wrong, too. */
function strictly(schema: z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>) {
  return schema instanceof z.ZodObject ? schema.strict() : z.union(schema.options.map((form) => form.strict()));
}
