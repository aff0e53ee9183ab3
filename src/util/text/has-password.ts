/**
 * Whether a text contains a URL with credentials, as `scheme://user:password@host` or in the query. A password that is not
 * encoded may contain any character.
 */
export function hasPassword(text: string): boolean {
  return /:\/\/(?:[^/?#\s]+|[^/?#\s]*:\S*)@|[?&][\w-]*(?:password|passwd|secret|token|key)=/i.test(text);
}
