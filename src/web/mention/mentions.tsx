import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { get } from '../api.js';
import { Path } from '../ui/path.js';
import { sessionWords } from '../words/session.js';

export type MentionsProps = {
  readonly taskId: string;
  readonly query: string;
  readonly onPick: (path: string) => void;
  readonly onClose: () => void;
  /** Where the query is typed. The focus stays there, so its keys move through the list. */
  readonly input: RefObject<HTMLTextAreaElement | null>;
};

/** Files of the workspace that match what follows `@`. */
export function Mentions({ taskId, query, onPick, onClose, input }: MentionsProps) {
  const files = useFiles(taskId, query);
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [files]);
  // In the tick that shows the list: an Enter that comes before it would send the prompt.
  useLayoutEffect(() => {
    const area = input.current;
    if (!area || files.length === 0) return undefined;
    const actions: Partial<Record<string, () => void>> = {
      ArrowDown: () => setAt((at + 1) % files.length),
      ArrowUp: () => setAt((at + files.length - 1) % files.length),
      Enter: () => onPick(files[at] ?? ''),
      Tab: () => onPick(files[at] ?? ''),
      Escape: onClose,
    };
    const onKey = (event: KeyboardEvent): void => {
      const action = event.isComposing || event.shiftKey ? undefined : actions[event.key];
      if (!action) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      action();
    };
    // Before the input's own listener, which would send the prompt.
    area.addEventListener('keydown', onKey, { capture: true });
    area.setAttribute('aria-controls', 'mentions');
    area.setAttribute('aria-activedescendant', `mention-${at}`);
    return () => {
      area.removeEventListener('keydown', onKey, { capture: true });
      area.removeAttribute('aria-controls');
      area.removeAttribute('aria-activedescendant');
    };
  });
  if (files.length === 0) return null;
  return (
    <ul class="mentions" id="mentions" role="listbox" aria-label={sessionWords.files}>
      {files.map((path, index) => (
        <li
          key={path}
          id={`mention-${index}`}
          role="option"
          aria-selected={index === at}
          // The focus must not leave the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(path)}
        >
          <Path path={path} />
        </li>
      ))}
    </ul>
  );
}

/** The newest answer. One that comes late does not replace it. */
function useFiles(taskId: string, query: string): readonly string[] {
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: readonly string[]): void => {
      if (isCurrent) setFiles(found);
    };
    get<{ files: readonly string[] }>(`tasks/${encodeURIComponent(taskId)}/files?q=${encodeURIComponent(query)}`).then(
      (answer) => show(answer.files),
      // Typing continues without it.
      () => show([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [taskId, query]);
  return files;
}
