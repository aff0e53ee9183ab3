/**
 * Where a store is, for logs and errors: its URL without user, password and parameters. A password that is not encoded may
 * contain any character, so if a URL is ambiguous, only its scheme is shown.
 */
export function storePlace(url: string): string {
  const [, kind = ''] = /^(\w*):\/\//.exec(url) ?? [];
  // A file, or a word that is not a URL.
  if (url.startsWith('sqlite:') || !/[@?]|:\/\//.test(url)) return url;
  if (!URL.canParse(url)) return `${kind}://…`;
  const { host, pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`.includes('@') ? `${kind}://…` : `${kind}://${host}${pathname}`;
}
