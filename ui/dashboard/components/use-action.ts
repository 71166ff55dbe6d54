import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';

export interface Action {
  run(): Promise<void>;
  readonly isRunning: boolean;
  /** The error of the last run. */
  readonly error: ApiError | undefined;
}

/** Returns the action of a button. It never runs twice at the same time, and its error is kept for the page to show. */
export function useAction(act: () => Promise<void>): Action {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<ApiError | undefined>();
  const isBusy = useRef(false);
  return {
    isRunning,
    error,
    async run() {
      if (isBusy.current) return;
      isBusy.current = true;
      setRunning(true);
      setError(undefined);
      try {
        await act();
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        setError(cause);
      } finally {
        isBusy.current = false;
        setRunning(false);
      }
    },
  };
}
