import type { ConnectWindow } from './flow/connect-window.ts';

const MARK = { svc: 'inside' };

/**
 * Makes the browser's Back button go back within the window, by adding a history entry that stands for the current screen.
 * Browsers skip entries that are created without a user's click or key press, so the entry is not added before the first one.
 *
 * @returns a function that restores the browser's behaviour
 */
export function catchBack(window: ConnectWindow): () => void {
  const stop = new AbortController();
  let isCaught = false;
  const isInside = () => window.mode === 'frame' || window.canGoBack;
  const mark = () => {
    if (isCaught || !isInside() || !navigator.userActivation?.hasBeenActive) return;
    isCaught = true;
    history.pushState(MARK, '');
  };
  const goBack = () => {
    // A connect link that is opened in this tab changes the fragment, which also fires `popstate`, but is not a step back.
    if (!isCaught || location.hash.length > 1 !== (window.mode === 'frame')) return;
    isCaught = false;
    if (!window.back() && window.mode === 'frame') window.requestClose();
    mark();
  };
  addEventListener('popstate', goBack, { signal: stop.signal });
  addEventListener('pointerup', mark, { signal: stop.signal });
  addEventListener('keyup', mark, { signal: stop.signal });
  const unsubscribe = window.store.subscribe(mark);
  return () => {
    stop.abort();
    unsubscribe();
  };
}
