import type { Navigation } from './history.ts';
import { placeOf } from './router.ts';

/**
 * Handles clicks on links to pages of the dashboard without loading the document again. All other clicks are left to the browser:
 * links to other pages, other windows, downloads.
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

/** Returns whether a click is a plain one, by which the user does not ask for another tab or window. */
export function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
