import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

interface FormButtonProps {
  /** The text of the button, which is also the title of the dialog. */
  readonly label: string;
  /** Renders the form. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a form in a dialog. It stands beside the list to which the form adds. */
export function FormButton({ label, children }: FormButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="btn primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {label}
      </button>
      {isOpen && (
        <Dialog title={label} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
