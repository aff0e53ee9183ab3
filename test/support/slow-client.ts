import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sends these pieces with a pause after each, then nothing more. Resolves to all that is answered until the end. */
export async function sendSlowly(port: number, pieces: readonly string[], pauseMs = 0): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(pauseMs);
  }
  await closed;
  return answer;
}
