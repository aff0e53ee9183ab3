/** Milliseconds of the system's monotonic clock: the same in every process, unlike `performance.now()`. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
