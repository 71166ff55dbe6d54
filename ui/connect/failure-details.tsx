import { useState } from 'preact/hooks';
import { useWindow } from './context.ts';
import type { Failure } from './core/state.ts';

/** For somebody who is asked for help: no word of what was typed. */
export function FailureDetails({ failure }: { readonly failure: Failure }) {
  const { t } = useWindow();
  const [isCopied, setCopied] = useState(false);
  const facts = [
    [t('details_code'), failure.code],
    [t('details_time'), failure.at.toISOString()],
    ...(failure.logId === null ? [] : [[t('details_reference'), failure.logId]]),
  ];
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(facts.map(([name, value]) => `${name}: ${value}`).join('\n'));
      setCopied(true);
    } catch {
      // The page around does not allow it; the texts can be selected.
    }
  };
  return (
    <details class="start">
      <summary>{t('details')}</summary>
      <dl>
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
        {t(isCopied ? 'copied' : 'copy_details')}
      </button>
      <span class="sr" role="status">
        {isCopied && t('copied')}
      </span>
    </details>
  );
}
