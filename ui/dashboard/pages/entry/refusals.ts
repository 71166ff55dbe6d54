import type { ApiError } from '../../../kit/api-error.ts';

/** Returns the text for a refused form by its HTTP status alone: a user who guesses must not learn what exactly was wrong. */
export function textsOfRefusal(
  error: ApiError | undefined,
  texts: Readonly<Record<number, string>>,
): Readonly<Record<string, string>> {
  if (error === undefined) return {};
  const text = texts[error.status];
  return text === undefined ? {} : { [error.code]: text };
}
