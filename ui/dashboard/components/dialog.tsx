import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** What kind of dialog it is. A search has a field in place of its heading, which is then for screen readers only. */
  readonly kind?: 'question' | 'search';
  /** Called after Escape, or a click outside the dialog. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. When it closes, the focus returns to the element that had it before. */
export function Dialog({ title, kind = 'question', onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // In an effect, so that the menu that opened this dialog has already closed and returned the focus to its button.
  useEffect(() => dialog.current?.showModal(), []);
  // The browser returns the focus only if the dialog is closed before it is removed.
  useLayoutEffect(() => {
    const shown = dialog.current;
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={kind === 'search' ? 'dialog search' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        if (dialog.current === null) return;
        // Browsers close a dialog at the second Escape even if the first was cancelled. If it must stay open, it is shown again.
        onClose();
        requestAnimationFrame(() => dialog.current?.open === false && dialog.current.showModal());
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-body">
        <h2 id={id} class={kind === 'search' ? 'sr' : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
