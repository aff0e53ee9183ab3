let aheadMs = 0;

/** Notes the server's clock, from the `Date` of an answer. The clock of a phone may be minutes off. */
export function noteServerTime({ headers }: Response): void {
  const date = Date.parse(headers.get('date') ?? '');
  const ahead = date - Date.now();
  // The header has whole seconds, so less is no difference.
  if (!Number.isNaN(date)) aheadMs = Math.abs(ahead) < 2000 ? 0 : ahead;
}

/** Now, by the clock that the server's times are from. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
