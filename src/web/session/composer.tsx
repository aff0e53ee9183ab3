import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sessionWords as w } from '../words/session.js';
import { type Mention, mentionAt, withFile } from '../mention/mention-at.js';
import { Lazy } from '../ui/lazy.js';
import type { SessionHandle } from '../story/session-handle.js';

const loadMentions = () => import('../mention/mentions.js').then(({ Mentions }) => Mentions);

type ComposerProps = {
  readonly handle: SessionHandle;
  readonly taskId: string | undefined;
  readonly isRunning: boolean;
  /** A slash as the first character asks for commands. Absent for those who may not run any. */
  readonly onSlash: (() => void) | undefined;
};

/** Where the thread ends: the line you type at. Prompts that are sent without a connection wait for it. */
export function Composer({ handle, taskId = '', isRunning, onSlash }: ComposerProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const draftName = `cosession.draft.${taskId}`;
  const [text, setText] = useState(() => sessionStorage.getItem(draftName) ?? '');
  const [mention, setMention] = useState<Mention>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => sessionStorage.setItem(draftName, text), [text]);
  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.height = 'auto';
    current.style.height = `${current.scrollHeight}px`;
  }, [text]);
  const send = (): void => {
    const prompt = text.trim();
    if (prompt === '') return;
    setText('');
    setMention(undefined);
    setProblem(undefined);
    handle.prompt(prompt).catch((error: unknown) => {
      setText((typed) => (typed === '' ? prompt : typed));
      setProblem(error instanceof Error ? error.message : String(error));
    });
  };
  const pickFile = (path: string): void => {
    if (!mention) return;
    const { text: next, caret } = withFile(text, mention, path);
    setMention(undefined);
    setText(next);
    requestAnimationFrame(() => area.current?.setSelectionRange(caret, caret));
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {mention && (
        <Lazy
          load={loadMentions}
          props={{
            taskId,
            query: mention.query,
            input: area,
            onPick: pickFile,
            onClose: () => setMention(undefined),
          }}
        />
      )}
      <span class="caret" aria-hidden="true">
        ›
      </span>
      <textarea
        ref={area}
        rows={1}
        value={text}
        aria-label={w.prompt}
        placeholder={isRunning ? w.askNext : onSlash ? w.askOrCommand : w.ask}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          setMention(taskId === '' ? undefined : mentionAt(typed, event.currentTarget.selectionStart));
          if (typed !== '/' || text !== '' || !onSlash) return setText(typed);
          event.currentTarget.value = '';
          onSlash();
        }}
        onBlur={() => setMention(undefined)}
        onKeyDown={(event) => {
          if (!isSend(event)) return;
          event.preventDefault();
          send();
        }}
      />
      {isRunning && text === '' ? (
        <button
          type="button"
          class="stop"
          disabled={handle.link.state !== 'open'}
          onClick={() => void handle.stop().catch((error: Error) => setProblem(error.message))}
        >
          <i aria-hidden="true" />
          {w.stop}
        </button>
      ) : (
        <button type="submit" class="send" disabled={text.trim() === ''}>
          {isRunning ? w.queue : w.send}
        </button>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** On touch screens Enter is a new line: there is a button right beside it. */
function isSend({ key, shiftKey, metaKey, ctrlKey, isComposing }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey || isComposing) return false;
  return !metaKey && !ctrlKey && matchMedia('(pointer: fine)').matches;
}
