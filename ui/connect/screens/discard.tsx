import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWindow } from '../context.ts';

/**
 * Asks whether to discard what was typed. It is part of the page, since the browser's own dialog would name a site that the user
 * does not know.
 */
export function Discard() {
  const { window, t } = useWindow();
  const keep = useRef<HTMLButtonElement>(null);
  // In a layout effect, that is, immediately: the browser takes the focus away from an element that becomes inert.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    keep.current?.focus();
    // The previously focused element is inert until this rendering is over.
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
