import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { type AuditEntry, auditActions, type AuditQuery } from '../domain/audit.js';

/** The UTC day that a file of the audit log holds; undefined for other files. */
export function dayOfFile(name: string): string | undefined {
  return /^(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(name)?.[1];
}

/** The matching entries of the files in this folder, oldest day first, in the order they were written. */
export async function* readAudit(folder: string, query: AuditQuery): AsyncIterable<AuditEntry> {
  const { since = '', until = '~' } = query;
  const isWanted = wanted(query);
  for (const name of (await namesIn(folder)).toSorted()) {
    const day = dayOfFile(name);
    if (day === undefined || day < since.slice(0, 10) || day > until) continue;
    const bytes = (await open(join(folder, name))).createReadStream();
    try {
      for await (const entry of toEntries(createInterface({ input: bytes }))) if (isWanted(entry)) yield entry;
    } finally {
      // A reader may leave in the middle.
      bytes.destroy();
    }
  }
}

/** The entries in these lines. A power cut may have cut a line; it is left out. */
export async function* toEntries(lines: AsyncIterable<string>): AsyncIterable<AuditEntry> {
  for await (const line of lines) {
    const entry = toEntry(line);
    if (entry) yield entry;
  }
}

function wanted({ since, until, action, principal, taskId }: AuditQuery): (entry: AuditEntry) => boolean {
  return (entry) =>
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until) &&
    (action === undefined || entry.action === action) &&
    (principal === undefined || entry.by.principal === principal) &&
    (taskId === undefined || ('taskId' in entry && entry.taskId === taskId));
}

/** We wrote the lines, so only what the filters need is checked. */
const entryShape = z.custom<AuditEntry>(
  (value) =>
    z.looseObject({ at: z.string(), action: z.enum(auditActions), by: z.looseObject({}) }).safeParse(value).success,
);

function toEntry(line: string): AuditEntry | undefined {
  try {
    return entryShape.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
