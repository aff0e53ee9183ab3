const fin = 0x80;
const textOpcode = 0x1;

/**
 * One unmasked text frame (RFC 6455, 5.2) for each text, in one buffer, which any number of sockets can send. One allocation
 * for all of them: it costs more than writing a short text.
 */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const frames = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0));
  let at = 0;
  texts.forEach((text, index) => {
    const length = lengths[index] ?? 0;
    at = writeHeader(frames, at, length);
    frames.write(text, at);
    at += length;
  });
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
