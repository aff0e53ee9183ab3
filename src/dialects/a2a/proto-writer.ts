/**
 * Protocol buffers, written as strings with one character per byte: in V8, joining strings is far cheaper than joining many
 * small buffers, and there is only one copy at the end. Empty fields are omitted, as proto3 requires.
 */
export type Bytes = string;

export function toBuffer(bytes: Bytes): Buffer {
  return Buffer.from(bytes, 'latin1');
}

export function fromBase64(base64: string): Bytes {
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** A message, a string or bytes, even if it is empty. */
export function nested(field: number, content: Bytes): Bytes {
  return tag(field, 2) + varint(content.length) + content;
}

export function text(field: number, value: string): Bytes {
  return value === '' ? '' : nested(field, utf8(value));
}

export function int(field: number, value: number): Bytes {
  return value === 0 ? '' : tag(field, 0) + varint(value);
}

export function bool(field: number, value: boolean): Bytes {
  return int(field, value ? 1 : 0);
}

/** `google.protobuf.Timestamp` */
export function timestamp(field: number, at: string): Bytes {
  const ms = Date.parse(at);
  return nested(field, int(1, Math.trunc(ms / 1000)) + int(2, (ms % 1000) * 1_000_000));
}

/** `google.protobuf.Struct` */
export function struct(field: number, value: object): Bytes {
  return nested(field, structFields(value));
}

export function structFields(value: object): Bytes {
  let fields = '';
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) fields += structField(key, inner);
  return fields;
}

export function structField(key: string, value: unknown): Bytes {
  return nested(1, text(1, key) + jsonValue(2, value));
}

/** `google.protobuf.Value`: anything that JSON can hold. */
export function jsonValue(field: number, value: unknown): Bytes {
  return nested(field, contentOf(value));
}

function contentOf(value: unknown): Bytes {
  switch (typeof value) {
    case 'string':
      return nested(3, utf8(value));
    case 'number':
      return tag(2, 1) + double(value);
    case 'boolean':
      return tag(4, 0) + varint(value ? 1 : 0);
    case 'object':
      if (value === null) return tag(1, 0) + varint(0);
      return Array.isArray(value) ? list(6, value) : struct(5, value);
    default:
      return '';
  }
}

function list(field: number, values: readonly unknown[]): Bytes {
  return nested(field, values.map((value) => jsonValue(1, value)).join(''));
}

const scratch = Buffer.alloc(8);

function double(value: number): Bytes {
  scratch.writeDoubleLE(value);
  return scratch.toString('latin1');
}

function tag(field: number, wireType: number): Bytes {
  return String.fromCharCode((field << 3) | wireType);
}

function varint(value: number): Bytes {
  if (value < 0x80) return String.fromCharCode(value);
  return String.fromCharCode((value % 0x80) | 0x80) + varint(Math.floor(value / 0x80));
}

function utf8(value: string): Bytes {
  return Buffer.byteLength(value) === value.length ? value : Buffer.from(value).toString('latin1');
}
