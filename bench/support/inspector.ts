import { once } from 'node:events';
import { WebSocket } from 'ws';

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly chunk?: string };
  readonly result?: { readonly usedSize?: number };
};

/** Megabytes of live objects in another Node process after a garbage collection. That process must run with `--inspect`. */
export async function collectGarbage(inspectorUrl: string): Promise<number> {
  return withInspector(inspectorUrl, async (call) => {
    // What waits for the end of something else goes in the second round.
    await call('HeapProfiler.collectGarbage');
    await call('HeapProfiler.collectGarbage');
    const { usedSize = Number.NaN } = (await call('Runtime.getHeapUsage')).result ?? {};
    return usedSize / 1024 / 1024;
  });
}

/** The heap of another process, in the form that the memory panel of Chromium reads. */
export async function takeHeapSnapshot(inspectorUrl: string): Promise<string> {
  const chunks: string[] = [];
  await withInspector(inspectorUrl, (call) =>
    call('HeapProfiler.takeHeapSnapshot', (message) => {
      if (message.method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(message.params?.chunk ?? '');
    }),
  );
  return chunks.join('');
}

type Call = (method: string, onMessage?: (message: Message) => void) => Promise<Message>;

async function withInspector<T>(url: string, work: (call: Call) => Promise<T>): Promise<T> {
  const socket = new WebSocket(url, { maxPayload: 0 });
  await once(socket, 'open');
  try {
    return await work(
      (method, onMessage = () => {}) =>
        new Promise((resolve) => {
          const listener = (data: Buffer): void => {
            const message = JSON.parse(data.toString()) as Message;
            onMessage(message);
            if (message.id !== 1) return;
            socket.off('message', listener);
            resolve(message);
          };
          socket.on('message', listener);
          socket.send(JSON.stringify({ id: 1, method }));
        }),
    );
  } finally {
    socket.terminate();
  }
}
