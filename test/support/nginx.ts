import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianProgram } from './debian-program.js';
import { temporaryFolder } from './temporary-folder.js';

/** An nginx of Debian with this in its `http` block. */
export function startNginx(site: string): ChildProcess {
  const folder = temporaryFolder();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `${what}_temp_path ${what};`);
  const main = `pid nginx.pid; daemon off; error_log stderr crit; events {}`;
  writeFileSync(join(folder, 'nginx.conf'), `${main} http { access_log off; ${places.join(' ')} ${site} }`);
  return spawn(debianProgram('nginx', 'usr/sbin/nginx'), ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']);
}
