const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key with the one that is held down, as this machine's keyboard labels them. */
export function keyOf(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}
