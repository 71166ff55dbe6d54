import type { ConnectWindow } from './flow/connect-window.ts';

const MARK = { svc: 'inside' };

/**
 * The browser's Back button goes back within the window: an entry of the history stands for what is in front. Browsers pass over
 * entries that are made without a click, so there is none before the first.
 *
 * @returns undoes it
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
    // A link that is opened in this tab changes the fragment: that is no way back.
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
