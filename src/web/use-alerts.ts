import { useEffect, useRef } from 'preact/hooks';

/** Alerts are loaded after the page is drawn: nothing on it depends on them. */
export function useAlerts(isKnown: boolean, taskId: string | undefined, onOpen: (taskId: string) => void): void {
  const latest = useRef(onOpen);
  latest.current = onOpen;
  useEffect(() => {
    if (isKnown) void import('./alerts.js').then(({ startAlerts }) => startAlerts((task) => latest.current(task)));
  }, [isKnown]);
  useEffect(() => {
    if (!isKnown) return undefined;
    let isOver = false;
    let stop = (): void => {};
    const start = async (): Promise<void> => {
      const { reportVisibility } = await import('./alerts.js');
      if (!isOver) stop = reportVisibility(taskId);
    };
    void start();
    return () => {
      isOver = true;
      stop();
    };
  }, [isKnown, taskId]);
}
