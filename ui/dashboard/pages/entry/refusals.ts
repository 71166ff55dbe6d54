import type { ApiError } from '../../../kit/api-error.ts';
import { t } from './texts.ts';

const MINUTE_S = 60;

/**
 * Returns the text for a refused form, by nothing but the HTTP status: a user who guesses must not learn what exactly was wrong.
 */
export function textsOfRefusal(
  error: ApiError | undefined,
  texts: Readonly<Record<number, string>> = {},
): Readonly<Record<string, string>> {
  if (error === undefined) return {};
  const minutes = Math.ceil((error.retryAfter ?? MINUTE_S) / MINUTE_S);
  const text = error.status === 429 ? t.count('locked', minutes) : texts[error.status];
  return text === undefined ? {} : { [error.code]: text };
}
