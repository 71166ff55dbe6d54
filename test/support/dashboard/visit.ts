import type { BrowserContext, Page } from 'playwright-core';
import type { TestApp } from '../app.ts';
import type { SharedChromium } from '../browser.ts';
import type { Guard } from '../browser-guard.ts';
import { signedInAs } from './members.ts';
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

export interface AdminVisit {
  /** Below the base URL. */
  readonly path: string;
  readonly permissions?: readonly string[];
  /** Before the page is opened. */
  readonly prepare?: (profile: BrowserContext) => Promise<void>;
}

/** A page of the dashboard with what the service answers, for somebody who has just signed in as an admin. */
export async function visitAsAdmin(
  chromium: SharedChromium,
  app: Pick<TestApp, 'url' | 'services'>,
  { path, permissions = [], prepare }: AdminVisit,
  body: (page: Page, guard: Guard) => Promise<void>,
): Promise<void> {
  const { cookie } = await signedInAs(app, 'admin');
  const [name = '', value = ''] = cookie.split('=');
  const options = { origins: [app.url], locale: 'en-US', permissions: [...permissions] };
  await chromium.profile(options, async (profile, guard) => {
    await profile.addCookies([{ name, value, url: app.url }]);
    await prepare?.(profile);
    const page = await profile.newPage();
    await page.goto(`${app.url}/${path}`);
    await body(page, guard);
  });
}
