import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * A question hides the input. The focus moves from the input into the body of the question, where no key gives an answer,
 * and returns when the question is gone. Folding and unfolding keep the focus too.
 */
export function useFocus(
  isFolded: boolean,
  body: RefObject<HTMLElement | null>,
  folded: RefObject<HTMLElement | null>,
): void {
  const left = useRef<HTMLElement | undefined>(undefined);
  const wasFolded = useRef(isFolded);
  useLayoutEffect(() => {
    const { activeElement: active } = document;
    const isTyping = active instanceof HTMLElement && active.matches('.composer textarea');
    if (isTyping && !isFolded) left.current = active;
    const hasChanged = wasFolded.current !== isFolded;
    wasFolded.current = isFolded;
    if (isFolded) {
      if (hasChanged) folded.current?.focus();
    } else if (isTyping || hasChanged) body.current?.focus({ preventScroll: true });
  }, [isFolded]);
  useLayoutEffect(
    () => () => {
      const { activeElement: active } = document;
      const isLost = active === null || active === document.body || body.current?.parentElement?.contains(active);
      // The next question, if there is one, hides it again.
      if (isLost) requestAnimationFrame(() => document.querySelector('dialog[open]') ?? left.current?.focus());
    },
    [],
  );
}
