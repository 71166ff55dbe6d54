import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { keepAt } from './popover.ts';

interface MenuProps {
  /** The content of the button. */
  readonly button: ComponentChildren;
  /** Accessible name of the button, when its content has no words. */
  readonly label?: string;
  readonly class?: string;
  /** The entries of the menu, each a `<MenuItem>`. */
  readonly children: ComponentChildren;
}

/** A button that opens a list of actions or links. Arrow keys move in it; Escape closes it and focuses the button. */
export function Menu({ button, label, class: name = 'btn', children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const onToggle = ({ newState }: { readonly newState: string }) => {
    const isOpen = newState === 'open';
    opener.current?.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || opener.current === null || list.current === null) return;
    keepAt(list.current, opener.current);
  };
  // With `autofocus` the browser focuses the first item as it opens the list. `toggle` would fire too late, perhaps after another
  // key press.
  const onBeforeToggle = () => {
    if (list.current !== null) itemsOf(list.current)[0]?.setAttribute('autofocus', '');
  };
  return (
    <>
      <button
        ref={opener}
        id={`${id}-button`}
        type="button"
        class={name}
        popovertarget={id}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-labelledby={`${id}-button`}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={(event) => moveIn(event, event.currentTarget)}
        onClick={(event) => event.currentTarget.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

interface MenuItemProps {
  readonly children: ComponentChildren;
  /** The target of a link; absent for a button. */
  readonly href?: string;
  readonly onClick?: () => void;
  readonly isDangerous?: boolean;
  /** True for the chosen item of several alternatives; absent for an item that is not one of several alternatives. */
  readonly isChosen?: boolean;
}

export function MenuItem({ children, href, onClick, isDangerous = false, isChosen }: MenuItemProps) {
  const attributes = {
    class: isDangerous ? 'danger' : undefined,
    role: isChosen === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': isChosen,
    tabIndex: -1,
    onClick,
  } as const;
  return href === undefined ? (
    <button type="button" {...attributes}>
      {children}
    </button>
  ) : (
    <a href={href} {...attributes}>
      {children}
    </a>
  );
}

function itemsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')];
}

function moveIn(event: KeyboardEvent, list: HTMLElement): void {
  const items = itemsOf(list);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === 'Tab') list.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
