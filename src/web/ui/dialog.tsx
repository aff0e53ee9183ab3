import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type DialogProps = {
  readonly label: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal dialog: the browser moves the focus in, keeps it there, and moves it back. Escape and a click beside it close it. */
export function Dialog({ label, class: name = 'dialog', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={name}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-in">{children}</div>
    </dialog>
  );
}
