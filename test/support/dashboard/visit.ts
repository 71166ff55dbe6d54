import type { Page } from 'playwright-core';
import type { SharedChromium } from '../browser.ts';
import type { Guard } from '../browser-guard.ts';
import type { DashboardScreen } from './screen.ts';
import { SIGNED_IN, stubApi } from './stub-api.ts';

/** Console errors that some screens cause on purpose: responses with a status of 4xx or 5xx. */
export const REFUSED = /status of [45]\d\d/;

/** Runs `body` with a screen of the dashboard in a fresh browser profile. The pages come from the service at this URL. */
export function visitScreen(
  chromium: SharedChromium,
  { url, screen }: { readonly url: string; readonly screen: DashboardScreen },
  body: (page: Page, guard: Guard) => Promise<void>,
): Promise<void> {
  return chromium.profile({ origins: [url], locale: 'en-US' }, async (profile, guard) => {
    guard.expect(REFUSED);
    const page = await profile.newPage();
    await showScreen(page, { url, screen });
    await body(page, guard);
  });
}

/** Shows a screen in a browser page that may have shown another one before. */
export async function showScreen(page: Page, { url, screen }: { readonly url: string; readonly screen: DashboardScreen }) {
  await stubApi(page.context(), { ...SIGNED_IN, ...screen.api });
  const address = `${url}/${screen.path}`;
  // The browser would not load the page again for a fragment of the current one. Otherwise the blank page is left out: after it,
  // another process of the browser would load the page, and would have to compile its scripts first.
  const isFragment = [page.url(), address].some((url) => url.includes('#'));
  if (isFragment && withoutFragment(page.url()) === withoutFragment(address)) await page.goto('about:blank');
  await page.goto(address);
  const shown = screen.shows === undefined ? page.getByRole('heading', { level: 1 }) : page.getByText(screen.shows);
  await screen.act?.(page);
  await shown.first().waitFor();
}

function withoutFragment(url: string): string {
  return url.replace(/#.*/, '');
}
