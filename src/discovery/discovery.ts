import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** A live session that other programs of the same user may find. */
const entrySchema = z.object({
  port: z.int(),
  url: z.string(),
  pid: z.int(),
  sessionId: z.string(),
  workspace: z.string(),
  token: z.string(),
  /** The certificate (PEM) that the endpoint shows, if it speaks TLS. */
  certificate: z.string().optional(),
  startedAt: z.string(),
});

export type Entry = z.infer<typeof entrySchema>;

function sessionsDir(stateDir: string): string {
  return join(stateDir, 'sessions');
}

/** Writes the discovery file. Only its owner can read it, since it holds the token. Returns the undo. */
export function announce(stateDir: string, entry: Entry): () => void {
  const dir = sessionsDir(stateDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, `${entry.pid}.json`);
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, JSON.stringify(entry, null, 2), { mode: 0o600 });
  renameSync(temporary, file);
  return () => rmSync(file, { force: true });
}

/** Live sessions, oldest first. Also removes the files of programs that have ended. */
export function liveSessions(stateDir: string): Entry[] {
  const dir = sessionsDir(stateDir);
  return filesIn(dir)
    .flatMap((name) => {
      const file = join(dir, name);
      const entry = readEntry(file);
      if (entry && isRunning(entry.pid)) return [entry];
      rmSync(file, { force: true });
      return [];
    })
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
}

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function readEntry(file: string): Entry | undefined {
  try {
    return entrySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
