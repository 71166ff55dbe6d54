import type { Navigation } from './history.ts';
import { placeOf } from './router.ts';

/**
 * Makes a click on a link to a page of the dashboard a step within it. Every other click is the browser's: other pages, other
 * windows, downloads.
 */
export function followLinks(
  document: Document,
  navigation: Navigation,
  isPage: (path: string) => boolean,
  signal: AbortSignal,
): void {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.defaultPrevented || !isPlain(event) || link.target !== '' || link.hasAttribute('download')) return;
    const place = placeOf(link.href, navigation.base);
    if (place === undefined || !isPage(place.path)) return;
    event.preventDefault();
    if (link.href !== document.location.href) navigation.go(link.href);
  };
  document.addEventListener('click', follow, { signal });
}

/** Not one that asks for another tab or window. */
export function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
