import { useBrowserState } from './use-browser-state.ts';

/** Returns whether there is a network. */
export function useOnline(): boolean {
  return useBrowserState(window, ['online', 'offline'], () => navigator.onLine);
}
