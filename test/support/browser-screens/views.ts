import type { Frame, Page } from 'playwright-core';
import { until } from '../until.ts';

/** A color scheme, and the window size of a phone or a desktop, in CSS pixels. */
export interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

export const VIEWS: readonly View[] = (['light', 'dark'] as const).flatMap((scheme) => [
  { scheme, width: 390, height: 844 },
  { scheme, width: 1280, height: 900 },
]);

/** Two views that together have both schemes and both widths. They take half the time of all views. */
export const OPPOSITE_VIEWS = VIEWS.filter(({ scheme, width }) => (scheme === 'dark') === width < 640);

/** An expression for a promise that resolves when all changes of the page have been drawn. */
const PAINTED = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))';

/** Returns the tab that a document is in. */
export function tabOf(document: Frame | Page): Page {
  return 'page' in document ? document.page() : document;
}

/** Waits until an expression is true in a document. It polls, because the content security policy forbids waiting inside it. */
export function holds(document: Frame | Page, condition: string): Promise<void> {
  return until(condition, () => document.evaluate<boolean>(condition));
}

/** Runs a body in each view. The page is not loaded again, because it adapts immediately to a new window size or color scheme. */
export async function inEachView(
  document: Frame | Page,
  body: (view: View) => Promise<void>,
  views: readonly View[] = VIEWS,
): Promise<void> {
  const tab = tabOf(document);
  for (const view of views) {
    await tab.setViewportSize(view);
    await tab.emulateMedia({ colorScheme: view.scheme, reducedMotion: 'reduce' });
    // A frame with a page of another site is notified of the change later than the page around it.
    await holds(document, `matchMedia('(prefers-color-scheme: ${view.scheme})').matches`);
    for (const painted of new Set([document, tab])) await painted.evaluate(PAINTED);
    await body(view);
  }
}
