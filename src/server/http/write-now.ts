import type { ServerResponse } from 'node:http';

/** UTF-8 takes at most three bytes per unit of a string. */
const bytesPerUnit = 3;

/** Node alone would leave the data on a corked socket until everything else that is due in this tick has run. */
export function writeNow(response: ServerResponse, text: string): void {
  const { socket } = response;
  socket?.cork();
  response.write(text);
  socket?.uncork();
}

/**
 * The same for a response whose headers are sent. Node would make three buffers of a chunk, its length, the text and its end, and
 * gather them: twice the time of a write. A short chunk for a reader that keeps up goes to the socket as one. Everything
 * else is left to Node, which keeps account of a reader that does not.
 */
export function writeChunkNow(response: ServerResponse, text: string): void {
  const { socket } = response;
  const keepsUp = socket?.writable && socket.writableLength === 0;
  const isShort = text.length * bytesPerUnit < (socket?.writableHighWaterMark ?? 0);
  if (keepsUp && isShort && response.chunkedEncoding)
    socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  else writeNow(response, text);
}
