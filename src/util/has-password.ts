/**
 * Whether a text holds an address with credentials in it, as `scheme://user:password@host` or in the query. A password that
 * is not encoded may hold any character.
 */
export function hasPassword(text: string): boolean {
  return /:\/\/(?:[^/?#\s]+|[^/?#\s]*:\S*)@|[?&][\w-]*(?:password|passwd|secret|token|key)=/i.test(text);
}
