/**
 * Counts the variable-length fields inside the fields of a protobuf message, without decoding it: everything that repeats in
 * its inner messages. Bytes that are not a message count as far as they can be read as one.
 */
export function innerFields(bytes: Uint8Array): number {
  let count = 0;
  eachField(bytes, 0, bytes.length, (start, end) => eachField(bytes, start, end, () => count++));
  return count;
}

const [varint, fixed64, variable, fixed32] = [0, 1, 2, 5];

/** Calls back with the position of each variable-length field, up to the first byte that cannot be read. */
function eachField(
  bytes: Uint8Array,
  start: number,
  end: number,
  onField: (start: number, end: number) => unknown,
): void {
  let at = start;
  /** None of our tags and lengths needs more than 32 bits. */
  const next = (): number => {
    let value = 0;
    for (let shift = 0; at < end; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Infinity;
  };
  while (at < end) {
    const type = next() & 7;
    if (type === varint) next();
    else if (type === fixed64) at += 8;
    else if (type === fixed32) at += 4;
    else if (type === variable) {
      const length = next();
      if (at + length > end) return;
      onField(at, at + length);
      at += length;
    } else return;
  }
}
