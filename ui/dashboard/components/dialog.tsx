import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Escape, or a click beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A question that has to be answered first. Whatever had the focus has it again afterwards. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Not before the menu that led here is closed, and has given the focus back to its button.
  useEffect(() => dialog.current?.showModal(), []);
  // Only a dialog that is closed before it is taken away gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        if (dialog.current === null) return;
        // Browsers close it when Escape comes twice, whatever is said to the first: what has to be answered is there again.
        onClose();
        requestAnimationFrame(() => dialog.current?.open === false && dialog.current.showModal());
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
