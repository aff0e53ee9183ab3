import { useEffect, useMemo, useState } from 'preact/hooks';

/** From this width on there is room beside the thread. The same number is in the style sheet. */
const deskWidth = 1100;

export function useWide(): boolean {
  const query = useMemo(() => matchMedia(`(min-width: ${deskWidth}px)`), []);
  const [isWide, setWide] = useState(query.matches);
  useEffect(() => {
    const onChange = (): void => setWide(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, [query]);
  return isWide;
}
