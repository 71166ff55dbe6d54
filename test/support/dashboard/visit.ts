import type { Page } from 'playwright-core';
import type { SharedChromium } from '../browser.ts';
import type { Guard } from '../browser-guard.ts';
import type { DashboardScreen } from './screen.ts';
import { SIGNED_IN, stubApi } from './stub-api.ts';

/** Errors in the console that belong to screens: responses with such a status. */
export const REFUSED = /status of [45]\d\d/;

/** Runs a body with a screen of the dashboard, as the service at this URL serves it, in a fresh profile. */
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

/** Goes to a screen in a page that may have shown others. */
export async function showScreen(page: Page, { url, screen }: { readonly url: string; readonly screen: DashboardScreen }) {
  await stubApi(page.context(), { ...SIGNED_IN, ...screen.api });
  const address = `${url}/${screen.path}`;
  // A URL that differs only in its fragment would load nothing.
  if (withoutFragment(page.url()) === withoutFragment(address)) await page.goto('about:blank');
  await page.goto(address);
  const shown = screen.shows === undefined ? page.getByRole('heading', { level: 1 }) : page.getByText(screen.shows);
  await screen.act?.(page);
  await shown.first().waitFor();
}

function withoutFragment(url: string): string {
  return url.replace(/#.*/, '');
}
