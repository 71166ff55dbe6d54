import { useRef, useState } from 'preact/hooks';
import { useWindow } from './context.ts';
import type { Failure } from './flow/state.ts';

/** Details of a failure that the user can pass on when asking for help; they contain nothing that was typed. */
export function FailureDetails({ failure }: { readonly failure: Failure }) {
  const { t } = useWindow();
  const [outcome, setOutcome] = useState<'copied' | 'copy_failed' | null>(null);
  const list = useRef<HTMLDListElement>(null);
  const facts = [
    [t('details_code'), failure.code],
    [t('details_time'), failure.at.toISOString()],
    ...(failure.logId === null ? [] : [[t('details_reference'), failure.logId]]),
    ...(failure.message ? [[t('details_message'), failure.message]] : []),
  ];
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(facts.map(([name, value]) => `${name}: ${value}`).join('\n'));
      setOutcome('copied');
    } catch {
      // The embedding page does not allow access to the clipboard.
      if (list.current !== null) getSelection()?.selectAllChildren(list.current);
      setOutcome('copy_failed');
    }
  };
  return (
    <details class="start">
      <summary>{t('details')}</summary>
      <dl ref={list}>
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </>
        ))}
      </dl>
      <button type="button" class="btn" onClick={() => void copy()}>
        {t(outcome === 'copied' ? 'copied' : 'copy_details')}
      </button>
      <p class={outcome === 'copy_failed' ? 'note' : 'sr'} role="status">
        {outcome && t(outcome)}
      </p>
    </details>
  );
}
