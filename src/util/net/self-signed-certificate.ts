import { type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export type CertificateFacts = {
  /** An EC key on the curve P-256. */
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly commonName: string;
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  readonly from: Date;
  readonly until: Date;
};

/**
 * A certificate that its own key has signed, as PEM (RFC 5280). Node reads certificates but cannot make them. Keys and
 * signature are node:crypto's; only the encoding (DER) is ours. docs/dependencies.md says why this is not a package.
 */
export function selfSignedCertificate(facts: CertificateFacts): string {
  const { publicKey, privateKey, commonName, names, from, until } = facts;
  const name = sequence(set(sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(commonName)))));
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(serialNumber()),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(notAnAuthority, forServers, alternativeNames(names))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bitString(signature));
  return new X509Certificate(certificate).toString();
}

/** 127 random bits: positive, as RFC 5280, 4.1.2.2 requires. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return der(0x31, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function bitString(bytes: Buffer): Buffer {
  return der(0x03, Buffer.of(0), bytes);
}

/** The first two numbers share a byte; each later one has seven bits per byte. */
function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.of(first * 40 + second, ...bytes));
}

/** Both forms of time that RFC 5280 knows; the short one is required until 2049. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
}

const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
const critical = der(0x01, Buffer.of(0xff));
/** basicConstraints: whoever trusts this certificate does not trust others that its key signs. */
const notAnAuthority = sequence(oid(2, 5, 29, 19), critical, der(0x04, sequence()));
/** extKeyUsage: serverAuth. */
const forServers = sequence(oid(2, 5, 29, 37), der(0x04, sequence(oid(1, 3, 6, 1, 5, 5, 7, 3, 1))));

function alternativeNames(names: readonly string[]): Buffer {
  const encoded = names.map((name) =>
    isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name)),
  );
  return sequence(oid(2, 5, 29, 17), der(0x04, sequence(...encoded)));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
