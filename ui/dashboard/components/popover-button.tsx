import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepAt } from './popover.ts';

interface PopoverButtonProps {
  /** The content of the button. */
  readonly button: ComponentChildren;
  readonly class: string;
  /** The label of the panel. */
  readonly label: string;
  /** Renders the content of the panel, anew each time it opens; the first field in it gets the focus. */
  readonly children: (close: () => void) => ComponentChildren;
  readonly onKeyDown?: (event: KeyboardEvent, panel: HTMLElement) => void;
  readonly onClick?: (event: MouseEvent, panel: HTMLElement) => void;
}

/** A button that opens a small panel below it. Escape closes it and focuses the button; a click outside closes it. */
export function PopoverButton({ button, class: name, label, children, onKeyDown, onClick }: PopoverButtonProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // A layout effect, since the position depends on the size of the rendered content.
  useLayoutEffect(() => {
    if (!isOpen || panel.current === null || opener.current === null) return;
    keepAt(panel.current, opener.current);
    panel.current.querySelector('input')?.focus();
  }, [isOpen]);
  return (
    <>
      <button ref={opener} type="button" class={name} popovertarget={id} aria-haspopup="dialog" aria-expanded={isOpen}>
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        class="menu picker"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={({ newState }: { readonly newState: string }) => setOpen(newState === 'open')}
        onKeyDown={(event) => onKeyDown?.(event, event.currentTarget)}
        onClick={(event) => onClick?.(event, event.currentTarget)}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
