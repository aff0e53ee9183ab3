/**
 * Where a store is, for logs and errors: its url without user, password and parameters. A password that is not encoded may
 * hold any character, so of a url that can be read in two ways only the kind is shown.
 */
export function storePlace(url: string): string {
  const [, kind = ''] = /^(\w*):\/\//.exec(url) ?? [];
  // A file, or a word that is no url at all.
  if (url.startsWith('sqlite:') || !/[@?]|:\/\//.test(url)) return url;
  if (!URL.canParse(url)) return `${kind}://…`;
  const { host, pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`.includes('@') ? `${kind}://…` : `${kind}://${host}${pathname}`;
}
