import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Lets the user change a text in their editor. Undefined if the editor failed. The name helps the editor to pick its colours. */
export async function editText(text: string, name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'cosession-'));
  const file = join(folder, basename(name).replaceAll(/[^\w.-]/g, '_') || 'text');
  try {
    await writeFile(file, text, { mode: 0o600 });
    return (await run(editorOf(env), file, env)) === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function editorOf(env: NodeJS.ProcessEnv): string {
  return env['VISUAL'] || env['EDITOR'] || 'vi';
}

/** `EDITOR` may have arguments, so a shell reads it. The file is an argument of that shell and not part of its text. */
function run(editor: string, file: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env });
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
}
