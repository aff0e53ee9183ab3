import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GeminiCli } from './find-cli.js';

/**
 * Whether a word has a meaning on the Gemini CLI's own command line: a flag, by any of its names, or a command. It is
 * looked up in the source of that release, hidden flags included. If the source does not look as expected, every word
 * counts as the CLI's, so the CLI always gets what is meant for it.
 */
export function isOwnWord(cli: GeminiCli, word: string): boolean {
  const sources = argumentFiles(cli.root).map((file) => readFileSync(file, 'utf8'));
  if (!sources.some((source) => definition('approval-mode').test(source))) return true;
  const name = word.replace(/^--(?:no-)?/, '');
  if (!/^[\w-]+$/.test(name)) return true;
  return sources.some((source) => [name, kebab(name)].some((form) => definition(form).test(source)));
}

/** In yargs: `.option("name", …)`, `alias: "n"`, `aliases: ["other"]`, `.alias("n", "name")`, `command: "name <argument>"`. */
function definition(name: string): RegExp {
  const quoted = `["'\`]${name}["'\`]`;
  return new RegExp(
    [
      String.raw`\.option\(\s*${quoted}`,
      String.raw`\balias(?:es)?:\s*(?:\[[^\]]*)?${quoted}`,
      String.raw`\.alias\([^)]*${quoted}`,
      String.raw`\bcommand:\s*["'\`]${name}["'\` ]`,
    ].join('|'),
  );
}

/** yargs accepts a flag in camel case instead of dashes. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The files that define the arguments: one chunk in the bundled releases, a few files before 0.36. */
function argumentFiles(root: string): string[] {
  return ['bundle', 'dist/src/config', 'dist/src/commands']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) =>
      /\/(?:bundle\/gemini[\w-]*|dist\/src\/config\/config|dist\/src\/commands\/[\w/]+)\.js$/.test(file),
    );
}
