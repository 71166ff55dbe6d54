import { useEffect, useState } from 'preact/hooks';

/** Returns a signal that aborts when the user leaves the page, for work that must not go on without it. */
export function useLeaving(): AbortSignal {
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  return leaving.signal;
}
