import { useEffect } from 'preact/hooks';

/** Ctrl+Enter or ⌘↵ gives the first answer, but not from a dialog over the question, and not by a key that is held down. */
export function useFirstAnswer(give: (() => void) | undefined): void {
  useEffect(() => {
    if (!give) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      give();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
