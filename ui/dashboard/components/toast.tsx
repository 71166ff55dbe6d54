import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

const SHOWN_MS = 4_000;

export interface Toaster {
  show(text: string): void;
  subscribe(listener: (text: string) => void): () => void;
}

export function createToaster(): Toaster {
  const listeners = new Set<(text: string) => void>();
  return {
    show(text) {
      for (const listener of listeners) listener(text);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Shows short confirmations, which take no focus and need no answer. */
export function Toasts({ toaster }: { readonly toaster: Toaster }) {
  const [shown, setShown] = useState<{ readonly text: string } | undefined>();
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => toaster.subscribe((text) => setShown({ text })), [toaster]);
  // Reopening moves the layer to the top, even above a dialog. It must not stay hidden, or screen readers would ignore toasts.
  useEffect(() => {
    layer.current?.hidePopover();
    layer.current?.showPopover();
  }, [shown]);
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div ref={layer} class="toasts" role="status" popover="manual">
      {shown && (
        <p class="toast">
          <Icon name="tick" />
          {shown.text}
        </p>
      )}
    </div>
  );
}
