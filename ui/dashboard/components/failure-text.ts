import type { ApiError } from '../../kit/api-error.ts';
import { en, t } from '../app/texts/en.ts';
import { sentence } from './sentence.ts';

const MINUTE_S = 60;

type Told = Pick<ApiError, 'code' | 'status' | 'message' | 'retryAfter'>;

/** Says what happened in a failed call, and what to do. @param texts texts by the error codes that this call can have */
export function failureText(error: Told, texts: Readonly<Record<string, string>> = {}): string {
  const { code, status, message, retryAfter } = error;
  const own = texts[code];
  if (own !== undefined) return own;
  if (code === 'too_many_request' && retryAfter !== null)
    return t.count('error_too_many_request', Math.ceil(retryAfter / MINUTE_S));
  const key = `error_${code}`;
  if (key in en) return t(key as keyof typeof en);
  // A response without a code of the service comes from something before it, such as a proxy.
  if (code === '') return t('error_not_ours', { status });
  // The service's message says what is wrong: with the request, or with what the service depends on.
  return message === code ? t('error_server_error') : sentence(message);
}
