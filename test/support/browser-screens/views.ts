import type { Frame, Page } from 'playwright-core';
import { until } from '../until.ts';

/** A scheme of colours, and the width of a phone or of a desk. */
export interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

export const VIEWS: readonly View[] = (['light', 'dark'] as const).flatMap((scheme) => [
  { scheme, width: 390, height: 844 },
  { scheme, width: 1280, height: 900 },
]);

/** Both schemes and both widths, in half of the time. */
export const OPPOSITE_VIEWS = VIEWS.filter(({ scheme, width }) => (scheme === 'dark') === width < 640);

/** Resolves when what has changed is on the screen. */
const PAINTED = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))';

/** The tab that a document is in. */
export function tabOf(document: Frame | Page): Page {
  return 'page' in document ? document.page() : document;
}

/** Asked from outside, again and again: a page's policy forbids code that waits within it. */
export function holds(document: Frame | Page, condition: string): Promise<void> {
  return until(condition, () => document.evaluate<boolean>(condition));
}

/** One visit is enough for all views: pages follow the size of their window and the scheme of the system at once. */
export async function inEachView(
  document: Frame | Page,
  body: (view: View) => Promise<void>,
  views: readonly View[] = VIEWS,
): Promise<void> {
  const tab = tabOf(document);
  for (const view of views) {
    await tab.setViewportSize(view);
    await tab.emulateMedia({ colorScheme: view.scheme, reducedMotion: 'reduce' });
    // A frame of another site is told later than its page.
    await holds(document, `matchMedia('(prefers-color-scheme: ${view.scheme})').matches`);
    for (const painted of new Set([document, tab])) await painted.evaluate(PAINTED);
    await body(view);
  }
}
