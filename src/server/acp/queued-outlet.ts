import { limits } from '../http/limits.js';
import type { Line, Outlet } from './update.js';

/** Sends updates through the SDK, in the order of its other messages. */
export function queuedOutlet(line: Line): Outlet {
  let waitingBytes = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    send({ params, frame }) {
      if (waitingBytes > limits.clientBufferBytes) return line.close(new Error('the client does not read'));
      waitingBytes += frame.length;
      last = line.client
        .notify('session/update', params)
        .catch(() => {})
        .finally(() => (waitingBytes -= frame.length));
      return undefined;
    },
    room: async () => void (await last),
  };
}
