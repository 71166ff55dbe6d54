import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { useApp } from '../app/context.ts';
import type { One } from '../app/replies.ts';
import type { Found } from './results.ts';

const TYPING_MS = 120;

interface Outcome {
  /** The text for which this was found. */
  readonly text: string;
  readonly found?: Found;
  readonly error?: ApiError;
}

/**
 * Searches an environment a moment after the last key; what was found before stays meanwhile.
 *
 * @param text empty: nothing is searched for
 */
export function useFound(environment: string, text: string): Outcome | undefined {
  const { client } = useApp();
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  useEffect(() => {
    if (text === '') return setOutcome(undefined);
    const stop = new AbortController();
    const search = async () => {
      const path = `api/ui/e/${encodeURIComponent(environment)}/search?search=${encodeURIComponent(text)}`;
      try {
        const { data } = await client.read<One<Found>>(path, stop.signal);
        if (!stop.signal.aborted) setOutcome({ text, found: data });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setOutcome({ text, error });
      }
    };
    const timer = setTimeout(() => void search(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [environment, text]);
  return outcome;
}
