import { useContext } from 'preact/hooks';
import type { ApiError } from '../../kit/api-error.ts';
import { MeContext } from '../app/context.ts';
import { en, t } from '../app/texts/en.ts';
import { Copyable } from './copy-button.tsx';
import { Note } from './note.tsx';
import { sentence } from './sentence.ts';

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
  const role = useContext(MeContext)?.role ?? '';
  return (
    <Note tone="bad" {...(title !== undefined && { title })}>
      <p>{textOf(error, role, texts)}</p>
      {error.requestId !== null && error.status >= 500 && (
        <p class="small">
          {t('reference')} <Copyable text={error.requestId} what={t('reference')} />
        </p>
      )}
      {onRetry && (
        <button type="button" class="btn" onClick={onRetry}>
          {t('try_again')}
        </button>
      )}
    </Note>
  );
}

function textOf({ code, status, message }: ApiError, role: string, texts: FailureProps['texts']): string {
  const own = texts?.[code];
  if (own !== undefined) return own;
  const key = `error_${code}`;
  // A user who is not signed in has no role, so `forbidden` is no lack of permission then; the service's message says what it is.
  if (key in en && (code !== 'forbidden' || role !== '')) return t(key as keyof typeof en, { role });
  // A 4xx message says what is wrong with the request; the messages for faults of the service itself do not help the user.
  return status >= 400 && status < 500 && message !== code ? sentence(message) : t('error_server_error');
}
