import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { patienceMs } from './until.js';

export type Shell = {
  /** Types a line and waits until it is done. What it prints, on both outputs. */
  run(line: string): Promise<string>;
};

const mark = '<<done>>';

/** A shell in which one line follows another: variables and jobs stay. It is killed at the end with all it started. */
export function openShell(cwd: string, env: Readonly<Record<string, string>>): Shell {
  const child = spawn('bash', ['--norc'], { cwd, env: { ...process.env, ...env }, detached: true });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
  let output = '';
  let onData: () => void = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
      onData();
    });
  return {
    run(line) {
      output = '';
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`"${line}" takes too long: ${output}`)), patienceMs);
        onData = () => {
          if (!output.includes(mark)) return;
          clearTimeout(late);
          resolve(output.replace(mark, ''));
        };
        child.stdin.write(`${line}\necho '${mark}'\n`);
      });
    },
  };
}
