import { useEffect } from 'preact/hooks';

/** j and k move through the rows, a and d answer the question of the current one. Enter opens it: rows are buttons. */
export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      // A key that is held down answers once.
      if (event.repeat && 'ad'.includes(event.key)) return;
      if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1);
      else if (event.key === 'a' || event.key === 'd') press(event.key);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, dialog') !== null;
}

function current(): Element | null | undefined {
  return document.activeElement?.closest('[data-task]');
}

function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.srow')];
  const at = rows.findIndex((row) => row.parentElement === current());
  const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

function press(answer: string): void {
  current()?.querySelector<HTMLElement>(`[data-answer="${answer}"]`)?.click();
}
