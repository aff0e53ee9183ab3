// What a release changes in text files. Pure, so that a test can hold it against examples.
import * as z from 'zod';

/** The version after `current`: a part to raise, or the version itself if it is newer. */
export function nextVersion(current: string, wanted: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
  const raised: Readonly<Record<string, string>> = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  };
  const next = raised[wanted] ?? wanted;
  if (!/^\d+\.\d+\.\d+$/.test(next)) throw new Error(`"${wanted}" is not major, minor, patch or a version`);
  if (compare(next, current) <= 0) throw new Error(`${next} is not newer than ${current}`);
  return next;
}

/** Puts what is unreleased under the heading of the new version. */
export function cutChangelog(text: string, version: string, date: string): string {
  const heading = '## [Unreleased]';
  const start = text.indexOf(heading);
  const end = text.indexOf('\n## [', start + heading.length);
  const changes = text.slice(start + heading.length, end).trim();
  if (start < 0 || end < 0 || changes === '') throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  return `${text.slice(0, start)}${heading}\n\n## [${version}] - ${date}\n\n${changes}\n${text.slice(end)}`;
}

/** Sets the version of a package, also in a lock file, and leaves everything else as it is. */
export function setVersion(text: string, version: string): string {
  return text
    .replace(/^( {2}"version": )"[^"]+"/m, `$1"${version}"`)
    .replace(/("packages": \{\s*"": \{[^}]*?"version": )"[^"]+"/, `$1"${version}"`);
}

/** The address of the repository that a package names, without what npm adds to it; `undefined` if it names none. */
export function repositoryOf(text: string): string | undefined {
  const { repository } = named.parse(JSON.parse(text));
  return (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+/, '').replace(/\.git$/, '');
}

const named = z.object({ repository: z.union([z.url(), z.object({ url: z.string() })]).optional() });

/** Adds what follows from the address of the repository. npm shows it on the page of the package. */
export function setAddresses(text: string, repository: string, directory?: string): string {
  const own = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const source = { type: 'git', url: `git+${repository}.git`, directory };
  const all = { ...own, repository: source, homepage: `${repository}#readme`, bugs: `${repository}/issues` };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

/** Negative, zero or positive, as for sorting. */
function compare(one: string, other: string): number {
  const parts = other.split('.').map(Number);
  const differences = one.split('.').map((part, index) => Number(part) - (parts[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
