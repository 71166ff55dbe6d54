import type { ApiError } from '../../kit/api-error.ts';
import { t } from '../app/texts/en.ts';
import { Copyable } from './copy-button.tsx';
import { failureText } from './failure-text.ts';
import { Note } from './note.tsx';

interface FailureProps {
  readonly error: ApiError;
  /** A text that says what failed. Default: without `onRetry` no title, with it a text that something could not be loaded. */
  readonly title?: string;
  /** Texts by the error codes that this call can have. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly onRetry?: () => void;
}

/** Shows a failed call: what happened, what to do, and what to look for in the log. */
export function Failure({ error, texts, onRetry, title = onRetry && t('error_heading') }: FailureProps) {
  const reference = error.status >= 500 ? error.requestId : null;
  return (
    <Note tone="bad" {...(title !== undefined && { title })}>
      <p>{failureText(error, texts)}</p>
      {reference !== null && (
        <>
          {error.code === 'server_error' && <p>{t('error_reference')}</p>}
          <p class="small">
            {t('reference')} <Copyable text={reference} what={t('reference')} />
          </p>
        </>
      )}
      {onRetry && (
        <button type="button" class="btn" onClick={onRetry}>
          {t('try_again')}
        </button>
      )}
    </Note>
  );
}
