/** The address of a link that may be followed; undefined for any other, which is shown as text. */
export function safeLink(href: string): URL | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined;
}
