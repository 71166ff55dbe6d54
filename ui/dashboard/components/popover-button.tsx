import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepAt } from './popover.ts';

interface PopoverButtonProps {
  /** What the button shows. */
  readonly button: ComponentChildren;
  readonly class: string;
  /** Of what it opens. */
  readonly label: string;
  /** What it opens, made anew each time; the first field in it gets the focus. */
  readonly children: (close: () => void) => ComponentChildren;
  readonly onKeyDown?: (event: KeyboardEvent, panel: HTMLElement) => void;
  readonly onClick?: (event: MouseEvent, panel: HTMLElement) => void;
}

/** A button that opens a small panel below it. Escape closes that and leads back to the button, a click beside it closes it. */
export function PopoverButton({ button, class: name, label, children, onKeyDown, onClick }: PopoverButtonProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // After what it shows was drawn, on whose size its place depends.
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
