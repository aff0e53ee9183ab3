import { useEffect, useState } from 'preact/hooks';
import { serverNow } from './server-time.js';
import { duration } from './time.js';

/** How long ago something began, by the server's clock. */
export function Clock({ since }: { since: number }) {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="num">{duration(Math.max(0, now - since))}</span>;
}
