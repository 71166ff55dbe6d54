import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWindow } from '../context.ts';

/**
 * Asks whether to discard what was typed. It is part of the page: the browser's own question would speak of another site than
 * the user knows.
 */
export function Discard() {
  const { window, t } = useWindow();
  const keep = useRef<HTMLButtonElement>(null);
  // At once, since the browser takes the focus away from an element that becomes inert.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    keep.current?.focus();
    // The element is inert until this rendering is over.
    return () => queueMicrotask(() => before?.focus());
  }, []);
  return (
    <div class="ask" role="alertdialog" aria-labelledby="discard-heading" aria-describedby="discard-lead">
      <h2 id="discard-heading">{t('discard_heading')}</h2>
      <p class="soft" id="discard-lead">
        {t('discard_lead')}
      </p>
      <div>
        <button ref={keep} type="button" class="btn primary" onClick={() => window.leaving.stay()}>
          {t('keep_editing')}
        </button>
        <button type="button" class="btn" onClick={() => window.leaving.discard()}>
          {t('discard')}
        </button>
      </div>
    </div>
  );
}
