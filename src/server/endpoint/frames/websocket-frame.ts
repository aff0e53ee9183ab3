const fin = 0x80;
const textOpcode = 0x1;

/**
 * One unmasked text frame (RFC 6455, 5.2) for each text, in one buffer, which any number of sockets can send. One allocation
 * for all of them: it costs more than writing a short text.
 */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths: number[] = [];
  let size = 0;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    lengths.push(length);
    size += headerBytes(length) + length;
  }
  const frames = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at = writeHeader(frames, at, lengths[index] ?? 0);
    at += frames.write(text, at);
  }
  return frames;
}

function headerBytes(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

/** Returns where the payload begins. */
function writeHeader(frames: Buffer, at: number, length: number): number {
  const payload = at + headerBytes(length);
  frames[at] = fin | textOpcode;
  if (length < 126) frames[at + 1] = length;
  else if (length < 65_536) {
    frames[at + 1] = 126;
    frames.writeUInt16BE(length, at + 2);
  } else {
    frames[at + 1] = 127;
    frames.writeBigUInt64BE(BigInt(length), at + 2);
  }
  return payload;
}
