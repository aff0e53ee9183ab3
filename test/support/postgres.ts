import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo } from '../../src/stores/postgres/postgres-database.js';
import { freePort } from './free-port.js';

export type PostgresServer = {
  readonly port: number;
  /** The folder of its files. */
  readonly data: string;
  /** The url of an empty schema; a database for each test would take the disk seconds. */
  newPlace(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
};

/** A private server on loopback with password authentication; installed from Debian when the machine has none. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms() ?? installPrograms();
  const template = await newCluster(programs);
  const folder = mkdtempSync(join(tmpdir(), 'cosession-postgres-'));
  const data = join(folder, 'data');
  execFileSync('cp', ['-a', template, data]);
  if (isRoot()) chownSync(folder, ...accountOf('postgres'));

  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  const start = (): Promise<void> =>
    run(programs, 'pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(data, 'log'), '-o', options, 'start']);
  const stop = (): Promise<void> => run(programs, 'pg_ctl', ['-D', data, '-w', '-m', 'fast', 'stop']);
  const remove = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await start();

  const url = `postgres://ada:secret@127.0.0.1:${port}/postgres`;
  let places = 0;
  const newPlace = async (): Promise<string> => {
    const name = `place_${++places}`;
    const database = connectTo(url);
    await database.query(`create schema ${name}`);
    await database.close();
    return `${url}?search_path=${name}`;
  };
  return { port, data, newPlace, start, stop, remove };
}

/** An empty cluster of these programs, made once: it takes as long as most tests that use a copy of it. */
async function newCluster(programs: string): Promise<string> {
  const template = join(tmpdir(), `cosession-cluster${programs.replaceAll('/', '-')}`);
  if (existsSync(template)) return template;
  const folder = mkdtempSync(`${template}.`);
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  writeFileSync(passwordFile, 'secret');
  if (isRoot()) for (const path of [folder, passwordFile]) chownSync(path, ...accountOf('postgres'));
  const access = ['-U', 'ada', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  await run(programs, 'initdb', ['-D', data, ...access, '-E', 'UTF8', '--no-sync']);
  try {
    renameSync(data, template);
  } catch {
    // Somebody else was faster.
  }
  rmSync(folder, { recursive: true, force: true });
  return template;
}

/** Debian keeps the programs of each version apart and out of the path. */
function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

function installPrograms(): string {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]): void =>
    void execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore', env });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'postgresql');
  const programs = findPrograms();
  if (programs === undefined) throw new Error('postgresql was installed, but there is no initdb');
  return programs;
}

/** PostgreSQL does not run as root. */
async function run(programs: string, name: string, args: readonly string[]): Promise<void> {
  const program = join(programs, name);
  const [file, ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', program] : [program];
  // The server goes on after its starter has ended and keeps what it was given open, so it gets no pipe of ours.
  const child = spawn(file, [...rest, ...args], { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function accountOf(user: string): [uid: number, gid: number] {
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return [id('-u'), id('-g')];
}
