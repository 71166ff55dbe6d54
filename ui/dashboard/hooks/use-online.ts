import { useBrowserState } from '../../shared/external-store.ts';

/** Whether there is a network. */
export function useOnline(): boolean {
  return useBrowserState(window, ['online', 'offline'], () => navigator.onLine);
}
