import type { Dirent } from 'node:fs';
import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { RecentMap } from '../util/recent-map.js';

/** Files and folders that are looked at. What lies deeper is not found. */
const maxEntries = 20_000;
/** Several keys are typed in this time; they share one look at the disk. */
const keepMs = 5000;
const maxWorkspaces = 8;
const maxRulesBytes = 64 * 1024;
const neverListed = new Set(['.git', 'node_modules']);
const ruleFiles = new Set(['.gitignore', '.geminiignore']);

type Listing = { readonly at: number; readonly paths: Promise<readonly string[]> };
/** Rules count for what is below their folder. Its path ends with a slash, or is empty. */
type Rules = { readonly folder: string; readonly rules: Ignore };

/** Finds files of a workspace by a part of their path. Links are not followed, and ignored files are left out. */
export class WorkspaceFiles {
  readonly #listings = new RecentMap<string, Listing>(maxWorkspaces);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Paths relative to the workspace: first those whose name begins with the text, then those whose name or path has it. */
  async find(workspace: string, text: string, count: number): Promise<readonly string[]> {
    const wanted = text.toLowerCase();
    return (await this.#list(workspace))
      .flatMap((path) => {
        const rank = rankOf(path.toLowerCase(), wanted);
        return rank === undefined ? [] : [{ path, rank }];
      })
      .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
      .slice(0, count)
      .map(({ path }) => path);
  }

  #list(workspace: string): Promise<readonly string[]> {
    const known = this.#listings.get(workspace);
    if (known && this.#now() - known.at < keepMs) return known.paths;
    const paths = filesIn(workspace);
    this.#listings.delete(workspace);
    this.#listings.set(workspace, { at: this.#now(), paths });
    return paths;
  }
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return path.includes(wanted) ? 2 : undefined;
}

/** Level by level, so that what is near the top is found in a workspace that is too large. */
async function filesIn(workspace: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders: { readonly path: string; readonly above: readonly Rules[] }[] = [{ path: '', above: [] }];
  let room = maxEntries;
  for (const { path, above } of folders) {
    const entries = await entriesOf(join(workspace, path), room);
    room -= entries.length;
    const rules = [...above, ...(await rulesOf(workspace, path, entries))];
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      const inside = `${path}${entry.name}${isFolder ? '/' : ''}`;
      if (neverListed.has(entry.name) || !(isFolder || entry.isFile()) || isIgnored(inside, rules)) continue;
      if (isFolder) folders.push({ path: inside, above: rules });
      else found.push(inside);
    }
    if (room <= 0) break;
  }
  return found;
}

/** Empty for a folder that cannot be read. */
async function entriesOf(folder: string, room: number): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      entries.push(entry);
      if (entries.length >= room) break;
    }
  } catch {
    // It may have gone, or belong to somebody else.
  }
  return entries;
}

async function rulesOf(workspace: string, folder: string, entries: readonly Dirent[]): Promise<readonly Rules[]> {
  const files = entries.filter((entry) => ruleFiles.has(entry.name) && entry.isFile());
  const texts = await Promise.all(files.map(({ name }) => textOf(join(workspace, folder, name))));
  return texts.map((text) => ({ folder, rules: ignore().add(text) }));
}

async function textOf(file: string): Promise<string> {
  try {
    return (await stat(file)).size > maxRulesBytes ? '' : await readFile(file, 'utf8');
  } catch {
    return '';
  }
}

function isIgnored(path: string, all: readonly Rules[]): boolean {
  return all.some(({ folder, rules }) => rules.ignores(path.slice(folder.length)));
}
