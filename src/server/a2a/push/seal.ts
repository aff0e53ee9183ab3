import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Makes text unreadable to anyone who has the store but not the key. */
export type Seal = {
  /** `place` is where the text will be kept. It cannot be opened anywhere else. */
  close(text: string, place: string): string;
  /** Undefined if it was sealed with another key or for another place, or was changed. */
  open(sealed: string, place: string): string | undefined;
};

export const sealKeyBytes = 32;
const cipher = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

export function sealWith(key: Buffer): Seal {
  return {
    close(text, place) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(place));
      const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), content]).toString('base64url');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64url');
      const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, nonceBytes + tagBytes)];
      if (tag.length < tagBytes) return undefined;
      try {
        const opening = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(place)).setAuthTag(tag);
        const content = opening.update(bytes.subarray(nonceBytes + tagBytes));
        return Buffer.concat([content, opening.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
