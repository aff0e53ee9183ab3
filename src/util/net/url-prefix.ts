/** Whether a URL is at or below another one. */
export type UrlPrefix = (url: URL) => boolean;

/**
 * Parses an http or https URL that stands for everything below it: the same scheme, host and port, and a path that
 * begins with the same segments. Throws if the text is not such a URL.
 */
export function urlPrefix(text: string): UrlPrefix {
  const base = /^https?:\/\/[^/?#@\\]+(?:\/[^?#\\]*)?$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const path = base ? segmentsOf(base) : [];
  if (!base || path.some(leavesPath))
    throw new Error(`expected an address like http://10.0.0.5:9000/hooks, got "${text}"`);
  const origin = originOf(base);
  return (url) => {
    if (originOf(url) !== origin || url.username !== '' || url.password !== '') return false;
    const given = segmentsOf(url);
    // Below a path, anything that the receiver might read as a step out of it is refused.
    return path.length === 0 || (path.every((segment, index) => segment === given[index]) && !given.some(leavesPath));
  };
}

/** The URL parser normalises case, default ports and IP addresses, but a name may still end in the root's dot. */
function originOf({ protocol, hostname, port }: URL): string {
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port}`;
}

/** Without the empty segment after a trailing slash. */
function segmentsOf({ pathname }: URL): string[] {
  return pathname.replace(/\/$/, '').split('/').slice(1).map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Some receivers decode a path again, or treat a backslash as a slash, before they resolve its dots. */
function leavesPath(segment: string): boolean {
  return /[/\\%]/.test(segment) || /^\.{1,2}(?:;|$)/.test(segment);
}
