import { useEffect, useRef, useState } from 'preact/hooks';
import { questionWords } from '../words/question.js';

export type MenuItem = {
  readonly name: string;
  readonly hint?: string;
  readonly isOff?: boolean;
  readonly run: () => void;
};

/** Answers that are not on the first level, behind ⋯. */
export function MoreAnswers({ items }: { items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = (event: Event): void => {
      if (!(event.target instanceof Node && place.current?.contains(event.target))) setOpen(false);
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, [isOpen]);
  return (
    <div
      class="more"
      ref={place}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
      }}
    >
      <button
        type="button"
        class="plain icon"
        aria-expanded={isOpen}
        aria-label={questionWords.more}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && (
        <ul class="pop">
          {items.map(({ name, hint, isOff, run }) => (
            <li key={name}>
              <button
                type="button"
                disabled={isOff}
                onClick={() => {
                  setOpen(false);
                  run();
                }}
              >
                {name}
                {hint !== undefined && <small>{hint}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
