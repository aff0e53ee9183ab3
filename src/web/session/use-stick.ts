import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Nearer to the end than this counts as being there. */
const nearPx = 60;

export type Stick = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
};

/**
 * Follows the end of the thread while the reader is there, and leaves a reader who scrolled up alone. `oldest` changes when
 * turns are added above: what the reader looks at must not move then.
 */
export function useStick(oldest: number): Stick {
  const scroller = useRef<HTMLElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const height = useRef(0);
  useEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    const onScroll = (): void => {
      follows.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearPx;
      setAtEnd(follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) current.scrollTop = current.scrollHeight;
      height.current = current.scrollHeight;
    });
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      current.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current && !follows.current) current.scrollTop += current.scrollHeight - height.current;
  }, [oldest]);
  const toEnd = (): void => {
    follows.current = true;
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
    setAtEnd(true);
  };
  return { scroller, isAtEnd, toEnd };
}
