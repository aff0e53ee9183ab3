import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cutChangelog, nextVersion, repositoryOf, setAddresses, setVersion } from '../../scripts/release-text.js';

test('the next version is raised by a part, or given and newer', () => {
  expect(['major', 'minor', 'patch', '0.3.0'].map((wanted) => nextVersion('0.2.9', wanted))).toEqual([
    '1.0.0',
    '0.3.0',
    '0.2.10',
    '0.3.0',
  ]);
  expect(() => nextVersion('0.2.9', '0.2.9')).toThrow('not newer');
  expect(() => nextVersion('0.2.9', 'next')).toThrow('not major');
});

test('what is unreleased moves under the new version; nothing unreleased is no release', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- It.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n';
  const cut = cutChangelog(text, '0.2.0', '2026-02-02');
  expect(cut).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-02\n\n### Added\n\n- It.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n',
  );
  expect(() => cutChangelog(cut, '0.3.0', '2026-03-03')).toThrow('nothing under [Unreleased]');
});

test('the version is set in a package and twice in its lock file, and nowhere else', () => {
  const lock = JSON.parse(setVersion(readFileSync('package-lock.json', 'utf8'), '9.8.7')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  expect([lock.version, lock.packages['']?.version]).toEqual(['9.8.7', '9.8.7']);
  const others = Object.values(lock.packages).filter(({ version }) => version === '9.8.7');
  expect(others).toHaveLength(1);
});

test('the other addresses of a package follow from its repository, and stay the same in the next release', () => {
  const url = 'https://example.com/owner/name';
  expect(repositoryOf('{}')).toBeUndefined();
  expect(() => repositoryOf('{"repository":"owner/name"}')).toThrow('URL');
  const first = setAddresses('{"name":"a"}', repositoryOf(JSON.stringify({ repository: url })) ?? '', 'packages/a');
  expect(JSON.parse(first)).toEqual({
    name: 'a',
    repository: { type: 'git', url: `git+${url}.git`, directory: 'packages/a' },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
  });
  expect(setAddresses(first, repositoryOf(first) ?? '', 'packages/a')).toBe(first);
});

test('a dry run says what would happen, with the SBOM, and changes nothing', () => {
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'packages/client/package.json'];
  const before = files.map((file) => readFileSync(file, 'utf8'));
  const said = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/release.ts', 'minor', '--dry-run'], {
    encoding: 'utf8',
  });
  expect(said).toMatch(/^cosession \d+\.\d+\.0 \(/);
  for (const step of ['npm test', 'git tag v', 'npm pack', 'npm sbom']) expect(said).toContain(step);
  expect(Number(/has (\d+) components/.exec(said)?.[1])).toBeGreaterThan(1);
  expect(said).toContain('--provenance');
  if (repositoryOf(before[0] ?? '') === undefined)
    expect(said).toContain('would stop: package.json names no repository');
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
});
