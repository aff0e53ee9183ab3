import { useCallback, useEffect, useState } from 'preact/hooks';
import { defined } from '../util/defined.js';

/** Where the page is. The address holds the task, so that a reload and the browser's own buttons work. */
export type PageRoute = {
  /** From `#pair=CODE`, the link of a QR code. */
  readonly code?: string;
  /** From `?task=ID`. */
  readonly taskId?: string;
};

export function useRoute(): [PageRoute, (taskId: string | undefined) => void] {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const onChange = () => setRoute(readRoute());
    addEventListener('popstate', onChange);
    return () => removeEventListener('popstate', onChange);
  }, []);
  const go = useCallback((taskId: string | undefined) => {
    history.pushState(null, '', taskId === undefined ? location.pathname : `?task=${encodeURIComponent(taskId)}`);
    setRoute(readRoute());
  }, []);
  return [route, go];
}

function readRoute(): PageRoute {
  const code = /^#pair=([\w-]+)$/.exec(location.hash)?.[1];
  const taskId = new URLSearchParams(location.search).get('task');
  // A code works once. It must not stay in the address, where it is copied, synchronised and shown.
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return defined({ code, taskId: taskId ?? undefined });
}
