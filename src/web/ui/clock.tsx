import { useEffect, useState } from 'preact/hooks';
import { duration } from './time.js';

/** How long ago something began. */
export function Clock({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="num">{duration(Math.max(0, now - since))}</span>;
}
