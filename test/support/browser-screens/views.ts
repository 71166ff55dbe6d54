import type { Frame, Page } from 'playwright-core';
import { until } from '../until.ts';

/** A color scheme, and the screen size of a phone or a desktop. */
export interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

export const VIEWS: readonly View[] = (['light', 'dark'] as const).flatMap((scheme) => [
  { scheme, width: 390, height: 844 },
  { scheme, width: 1280, height: 900 },
]);

/** Two views that cover both schemes and both widths in half of the time. */
export const OPPOSITE_VIEWS = VIEWS.filter(({ scheme, width }) => (scheme === 'dark') === width < 640);

/** A promise that resolves when all changes are on the screen. */
const PAINTED = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))';

/** Returns the tab that a document is in. */
export function tabOf(document: Frame | Page): Page {
  return 'page' in document ? document.page() : document;
}

/** Waits until a condition holds in a document. It polls from outside, because the page's policy forbids code that waits inside. */
export function holds(document: Frame | Page, condition: string): Promise<void> {
  return until(condition, () => document.evaluate<boolean>(condition));
}

/** Runs a body in each view. One visit is enough, because pages follow the window size and the system's color scheme at once. */
export async function inEachView(
  document: Frame | Page,
  body: (view: View) => Promise<void>,
  views: readonly View[] = VIEWS,
): Promise<void> {
  const tab = tabOf(document);
  for (const view of views) {
    await tab.setViewportSize(view);
    await tab.emulateMedia({ colorScheme: view.scheme, reducedMotion: 'reduce' });
    // A frame of another site learns of the change later than its page.
    await holds(document, `matchMedia('(prefers-color-scheme: ${view.scheme})').matches`);
    for (const painted of new Set([document, tab])) await painted.evaluate(PAINTED);
    await body(view);
  }
}
