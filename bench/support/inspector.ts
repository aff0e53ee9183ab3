import { once } from 'node:events';
import { WebSocket } from 'ws';

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly chunk?: string };
  readonly result?: { readonly result?: { readonly value?: unknown } };
};

/** Megabytes: live objects, what V8 has reserved for its heap, and what objects hold outside of it, such as buffers. */
export type Memory = { readonly live: number; readonly reserved: number; readonly external: number };

/** The memory of another Node process after a garbage collection. That process must run with `--inspect`. */
export async function collectGarbage(inspectorUrl: string): Promise<Memory> {
  return withInspector(inspectorUrl, async (call) => {
    // What waits for the end of something else goes in the second round.
    await call('HeapProfiler.collectGarbage');
    await call('HeapProfiler.collectGarbage');
    const params = { expression: 'process.memoryUsage()', returnByValue: true };
    const usage = (await call('Runtime.evaluate', { params })).result?.result?.value;
    const { heapUsed, heapTotal, external } = usage as NodeJS.MemoryUsage;
    return { live: toMb(heapUsed), reserved: toMb(heapTotal), external: toMb(external) };
  });
}

/** The heap of another process, in the form that the memory panel of Chromium reads. */
export async function takeHeapSnapshot(inspectorUrl: string): Promise<string> {
  const chunks: string[] = [];
  await withInspector(inspectorUrl, (call) =>
    call('HeapProfiler.takeHeapSnapshot', {
      onMessage(message) {
        if (message.method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(message.params?.chunk ?? '');
      },
    }),
  );
  return chunks.join('');
}

type CallOptions = { readonly params?: object; readonly onMessage?: (message: Message) => void };
type Call = (method: string, options?: CallOptions) => Promise<Message>;

const toMb = (bytes: number): number => bytes / 1024 / 1024;

async function withInspector<T>(url: string, work: (call: Call) => Promise<T>): Promise<T> {
  const socket = new WebSocket(url, { maxPayload: 0 });
  await once(socket, 'open');
  try {
    return await work(
      (method, { params = {}, onMessage = () => {} } = {}) =>
        new Promise((resolve) => {
          const listener = (data: Buffer): void => {
            const message = JSON.parse(data.toString()) as Message;
            onMessage(message);
            if (message.id !== 1) return;
            socket.off('message', listener);
            resolve(message);
          };
          socket.on('message', listener);
          socket.send(JSON.stringify({ id: 1, method, params }));
        }),
    );
  } finally {
    socket.terminate();
  }
}
