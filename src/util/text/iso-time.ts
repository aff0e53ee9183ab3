const secondMs = 1000;
let second = Number.NaN;
/** Up to the dot. */
let head = '';

/** As `toISOString` writes it, which takes longer than everything else about an event: the date is written once a second. */
export function isoTime(ms: number): string {
  const current = Math.floor(ms / secondMs);
  if (current !== second) {
    head = new Date(current * secondMs).toISOString().slice(0, -'000Z'.length);
    second = current;
  }
  return `${head}${String(ms - current * secondMs).padStart(3, '0')}Z`;
}
