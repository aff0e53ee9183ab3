import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Everything in the body of a question that counts as one line. */
const lines = '.ln:not(.duo > .ln), .duo, .cmd li';
/** Nearer to the end than this, the rest is only padding. */
const slack = 8;

/** How many lines of the question are still below the edge. */
export function useUnseen(isEditing: boolean): [number, RefObject<HTMLDivElement | null>] {
  const body = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(0);
  useEffect(() => {
    const element = body.current;
    if (!element || isEditing) return setCount(0);
    const look = (): void => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < slack;
      const edge = element.getBoundingClientRect().bottom;
      const all = isAtEnd ? [] : Array.from(element.querySelectorAll(lines));
      setCount(all.length - firstBelow(all, edge));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [isEditing]);
  return [count, body];
}

/** Lines stand one below the other, so a change of ten thousand needs only a few looks. */
function firstBelow(all: readonly Element[], edge: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle;
    else low = middle + 1;
  }
  return low;
}
