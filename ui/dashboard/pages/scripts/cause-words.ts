import { t, texts } from './texts.ts';

/** Returns why a run did not complete, as a sentence; an unknown cause is returned unchanged. */
export function causeWords(cause: string | null): string {
  const key = `cause_${cause}`;
  return key in texts ? t(key as keyof typeof texts) : (cause ?? '');
}
