const GIVE_UP = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Scrolls to the position at which a page was left, as soon as the page is long enough, unless the user has already begun to use
 * it.
 *
 * @returns a function that stops trying
 */
export function keepScroll(top: number): () => void {
  const stop = new AbortController();
  const reach = () => {
    scrollTo(0, top);
    if (document.documentElement.scrollHeight - innerHeight >= top) stop.abort();
  };
  const observer = new ResizeObserver(reach);
  stop.signal.addEventListener('abort', () => observer.disconnect());
  for (const name of GIVE_UP) addEventListener(name, () => stop.abort(), { signal: stop.signal, passive: true });
  observer.observe(document.body);
  reach();
  return () => stop.abort();
}
