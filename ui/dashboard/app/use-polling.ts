import { useEffect } from 'preact/hooks';
import { useApp } from './context.ts';

const EVERY_MS = 5_000;

/**
 * Loads a path of the private interface again at an interval, as long as the page can be seen.
 *
 * @param path null when nothing is to be loaded
 */
export function usePolling(path: string | null, everyMs = EVERY_MS): void {
  const { resources } = useApp();
  useEffect(() => {
    if (path === null) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && void resources.load(path), everyMs);
    return () => clearInterval(timer);
  }, [path]);
}
