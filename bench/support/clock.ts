/** Milliseconds of the system's monotonic clock: the same in every process, unlike `performance.now()`. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The CPU time that this process has used so far. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
