// npm run release -- <major|minor|patch|version> [--dry-run]: see docs/releasing.md. It publishes nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { cutChangelog, nextVersion, repositoryOf, setAddresses, setVersion } from './release-text.js';

const [wanted = '', ...flags] = process.argv.slice(2);
const isDry = flags.includes('--dry-run');
if (wanted === '' || flags.some((flag) => flag !== '--dry-run')) {
  console.error('npm run release -- <major|minor|patch|version> [--dry-run]');
  process.exit(2);
}

const read = (file: string): string => readFileSync(file, 'utf8');
const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { stdio: 'inherit' });
const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
const { version: current } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
const version = nextVersion(current, wanted);
const repository = repositoryOf(read('package.json'));
const date = new Date().toISOString().slice(0, 10);
const changed = {
  'package.json': packageText('package.json'),
  'package-lock.json': setVersion(read('package-lock.json'), version),
  'packages/client/package.json': packageText('packages/client/package.json', 'packages/client'),
  'CHANGELOG.md': cutChangelog(read('CHANGELOG.md'), version, date),
};

/** What has to be true before anything changes. */
const problems = [
  ...(git('status', '--porcelain') === '' ? [] : ['the working tree has changes']),
  ...(git('branch', '--show-current') === 'main' ? [] : ['the branch is not main']),
  ...(git('tag', '--list', `v${version}`) === '' ? [] : [`the tag v${version} exists`]),
  // Provenance says from which repository a package was built, so the package has to name it.
  ...(repository === undefined ? ['package.json names no repository; add "repository": "https://…"'] : []),
];

/** Everything that is done, in order. */
const steps: readonly (readonly [name: string, step: () => void])[] = [
  ['npm test', () => run('npm', 'test')],
  [
    `write ${Object.keys(changed).join(', ')}`,
    () => Object.entries(changed).forEach(([file, text]) => writeFileSync(file, text)),
  ],
  ['npm run docs', () => run('npm', 'run', 'docs')],
  [`git commit, git tag v${version}`, commitAndTag],
  [`npm pack into release/: cosession-${version}.tgz, cosession-client-${version}.tgz`, pack],
  [
    `npm sbom: release/cosession-${version}.cdx.json`,
    () => writeFileSync(`release/cosession-${version}.cdx.json`, sbom()),
  ],
];

if (isDry) {
  console.log(`cosession ${version} (${date})\n`);
  for (const problem of problems) console.log(`would stop: ${problem}`);
  for (const [name] of steps) console.log(`would run: ${name}`);
  console.log(
    `\nThe SBOM has ${z.object({ components: z.array(z.unknown()) }).parse(JSON.parse(sbom())).components.length} components.`,
  );
} else {
  if (problems.length > 0) throw new Error(`no release: ${problems.join('; ')}`);
  for (const [name, step] of steps) {
    console.log(`— ${name}`);
    step();
  }
}
console.log(`\nThen, in CI: git push --follow-tags, and npm publish --provenance --access public for both tarballs.`);

function packageText(file: string, directory?: string): string {
  const text = setVersion(read(file), version);
  return repository === undefined ? text : setAddresses(text, repository, directory);
}

function commitAndTag(): void {
  run('git', 'commit', '--all', '--message', `release: v${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `cosession ${version}`);
}

function pack(): void {
  mkdirSync('release', { recursive: true });
  run('npm', 'pack', '--pack-destination', 'release');
  run(process.execPath, 'scripts/build-client.js');
  run('npm', 'pack', './packages/client', '--pack-destination', 'release');
}

/** CycloneDX: what is installed with the package. What is bundled is in dist/THIRD-PARTY-NOTICES.txt. */
function sbom(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--loglevel=error'];
  return execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 << 20 });
}
