import { useEffect } from 'preact/hooks';
import { useApp } from './context.ts';

const EVERY_MS = 5_000;

/**
 * Loads a path of the private interface again every five seconds, as long as the page can be seen.
 *
 * @param path null when nothing is to be loaded
 */
export function usePolling(path: string | null): void {
  const { resources } = useApp();
  useEffect(() => {
    if (path === null) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && void resources.load(path), EVERY_MS);
    return () => clearInterval(timer);
  }, [path]);
}
