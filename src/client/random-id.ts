/** An id that nobody else makes. Not `crypto.randomUUID`, which browsers offer only to secure pages. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
