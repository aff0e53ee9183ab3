import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atExit } from './clean-up.js';
import type { Answer, Methods } from './serve.js';

export type Helper<M extends Methods> = {
  call<K extends keyof M & string>(method: K, ...args: Parameters<M[K]>): Promise<Awaited<ReturnType<M[K]>>>;
  stop(): Promise<void>;
};

type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

/** Starts a file of `processes` as a separate process. Its methods are called over Node's IPC channel. */
export function startHelper<M extends Methods>(file: URL): Helper<M> {
  const name = basename(file.pathname);
  const child = fork(fileURLToPath(file), { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
  const forget = atExit(() => child.kill('SIGKILL'));
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  child.on('message', (answer: Answer) => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) caller?.resolve(answer.result);
    else caller?.reject(new Error(`${name}: ${answer.error}`));
  });
  child.once('exit', (code) => {
    for (const caller of waiting.values()) caller.reject(new Error(`${name} ended with ${code}`));
  });
  return {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        child.send({ id, method, args });
      }),
    async stop() {
      const exited = once(child, 'exit');
      forget();
      await exited;
    },
  };
}
