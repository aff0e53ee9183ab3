import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { freePort } from './free-port.js';
import { until } from './until.js';

export type S3Server = {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** The `s3rver` program with these buckets. It keeps its files in the folder when it is stopped and started again. */
export async function startS3(buckets: readonly string[], folder: string): Promise<S3Server> {
  const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');
  const wholePuts = ['--import', new URL('whole-puts.js', import.meta.url).href];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Its listing tokens are made with a cipher that OpenSSL 3 no longer enables.
  const legacy = '--openssl-legacy-provider';
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '-s'];
  const wanted = buckets.flatMap((name) => ['--configure-bucket', name]);

  let stop = async (): Promise<void> => undefined;
  const start = async (): Promise<void> => {
    const child = spawn(process.execPath, [legacy, ...wholePuts, program, ...options, ...wanted], { stdio: 'ignore' });
    stop = async () => {
      child.kill();
      await once(child, 'exit');
    };
    await until(() => answers(url));
  };
  await start();
  return { url, start, stop: () => stop() };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
