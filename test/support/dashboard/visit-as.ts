import type { BrowserContext, Page } from 'playwright-core';
import type { MemberRow } from '../../../core/tenants/members/member-rows.ts';
import type { TestApp } from '../app.ts';
import type { SharedChromium } from '../browser.ts';
import type { Guard } from '../browser-guard.ts';
import { signedInAs, type TestMember } from './members.ts';

interface Visit {
  /** The member's role; default: admin. */
  readonly role?: MemberRow['role'];
  /** The path below the base URL. */
  readonly path: string;
  /** Permissions that the browser grants to the page. */
  readonly permissions?: readonly string[];
  /** Runs before the page is opened. */
  readonly prepare?: (profile: BrowserContext, member: TestMember) => Promise<void>;
}

/** Runs `body` with a page of the dashboard and the real service, for a new, signed-in member in a fresh browser profile. */
export async function visitAs(
  { chromium, app }: { readonly chromium: SharedChromium; readonly app: Pick<TestApp, 'url' | 'services' | 'accountId'> },
  { role = 'admin', path, permissions = [], prepare }: Visit,
  body: (page: Page, who: { readonly guard: Guard; readonly member: TestMember }) => Promise<void>,
): Promise<void> {
  const member = await signedInAs(app, role);
  const [name = '', value = ''] = member.cookie.split('=');
  const options = { origins: [app.url], locale: 'en-US', permissions: [...permissions] };
  await chromium.profile(options, async (profile, guard) => {
    await profile.addCookies([{ name, value, url: app.url }]);
    await prepare?.(profile, member);
    const page = await profile.newPage();
    await page.goto(`${app.url}/${path}`);
    await body(page, { guard, member });
  });
}
