import { temporaryFolder } from './temporary-folder.js';

/** Runs a program where `/proc` has no `net`: as on other systems, nobody tells whose a connection is. */
export function withoutConnectionTable(): readonly string[] {
  const script = `
    mount --rbind /proc "$0" && mount -t tmpfs none /proc &&
    for entry in "$0"/*; do [ "$entry" = "$0/net" ] || ln -s "$entry" /proc/; done
    exec "$@"`;
  return ['unshare', '--mount', 'sh', '-c', script, temporaryFolder()];
}
