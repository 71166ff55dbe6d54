import { t, texts } from './texts.ts';

/** Why a run did not complete, in a sentence; a cause that is not known here, as it is. */
export function causeWords(cause: string | null): string {
  const key = `cause_${cause}`;
  return key in texts ? t(key as keyof typeof texts) : (cause ?? '');
}
