import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Megabytes of live objects in another Node process after a garbage collection. That process must run with `--inspect`. */
export async function collectGarbage(inspectorUrl: string): Promise<number> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, 'open');
  try {
    await call(socket, 'HeapProfiler.collectGarbage');
    const { usedSize } = await call(socket, 'Runtime.getHeapUsage');
    return (usedSize ?? Number.NaN) / 1024 / 1024;
  } finally {
    socket.terminate();
  }
}

type Reply = { readonly id: number; readonly result: { readonly usedSize?: number } };

async function call(socket: WebSocket, method: string): Promise<Reply['result']> {
  socket.send(JSON.stringify({ id: 1, method }));
  for (;;) {
    const [data] = (await once(socket, 'message')) as [Buffer];
    const reply = JSON.parse(data.toString()) as Reply;
    if (reply.id === 1) return reply.result;
  }
}
