import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWindow } from '../context.ts';

/** In the page, not by the browser's own question, which speaks of another site than the person knows. */
export function Discard() {
  const { window, t } = useWindow();
  const keep = useRef<HTMLButtonElement>(null);
  // At once: the browser takes the focus away from what has become inert.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    keep.current?.focus();
    // It is inert until this rendering is over.
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
