import type { Page } from 'playwright-core';
import type { SharedChromium } from '../browser.ts';
import type { Guard } from '../browser-guard.ts';
import type { DashboardScreen } from './screen.ts';
import { SIGNED_IN, stubApi } from './stub-api.ts';

/** What pages report of responses with such a status is part of their screens. */
const REFUSED = /status of [45]\d\d/;

/** A screen of the dashboard, as the service at this URL serves it, in a fresh profile. */
export function visitScreen(
  chromium: SharedChromium,
  { url, screen }: { readonly url: string; readonly screen: DashboardScreen },
  body: (page: Page, guard: Guard) => Promise<void>,
): Promise<void> {
  return chromium.profile({ origins: [url], locale: 'en-US' }, async (profile, guard) => {
    guard.expect(REFUSED);
    await stubApi(profile, { ...SIGNED_IN, ...screen.api });
    const page = await profile.newPage();
    await page.goto(`${url}/${screen.path}`);
    const shown = screen.shows === undefined ? page.getByRole('heading', { level: 1 }) : page.getByText(screen.shows);
    if (screen.act === undefined) await shown.first().waitFor();
    else await screen.act(page).then(() => shown.first().waitFor());
    await body(page, guard);
  });
}
