import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into a server before it starts: tells who started it how long its event loop was busy at most since it was asked last. */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  process.send?.(delay.max / 1e6);
  delay.reset();
});
process.channel?.unref();
