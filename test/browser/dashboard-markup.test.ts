import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { matchRoute } from '../../ui/dashboard/app/router.ts';
import { useChromium } from '../support/browser.ts';
import { type ScriptWatch, watchScripts } from '../support/browser-xss.ts';
import { hostileApi } from '../support/dashboard/hostile-api.ts';
import type { DashboardScreen } from '../support/dashboard/screen.ts';
import { DASHBOARD_SCREENS } from '../support/dashboard/screens.ts';
import { REFUSED, showScreen } from '../support/dashboard/visit.ts';
import { POLYGLOTS } from '../support/polyglots.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Pages that show no free text of other people: they redirect, have only fields, or show values that a pattern restricts. */
const WITHOUT_TEXTS = [
  ...['e/:env', 'e/:env/settings/webhooks', 'e/:env/start/inbox', 'e/:env/webhooks', 'e/:env/settings/callback'],
  ...['account/environments', 'login/enrol', 'login', 'join', 'setup'],
];
/** The routes are read from the source because only a browser can load the pages that it imports. */
const ROUTES = Array.from(
  readFileSync(new URL('../../ui/dashboard/app/routes.ts', import.meta.url), 'utf8').matchAll(/path: '([^']+)'/g),
  ([, path = '']) => ({ path }),
);

/** Evaluates to all text of the page and all values of its fields. */
const SHOWN = `[...document.querySelectorAll('main, main input, main textarea')].map((one) => one.value ?? one.textContent).join(' ')`;

/** For each address without its query, the screen with the most data. */
const FULLEST = new Map<string, DashboardScreen>();
for (const screen of Object.values(DASHBOARD_SCREENS)) {
  const path = screen.path.replace(/[?#].*/, '');
  if (sizeOf(screen) > sizeOf(FULLEST.get(path))) FULLEST.set(path, screen);
}

function sizeOf(screen: DashboardScreen | undefined): number {
  const { me: _member, ...shown } = screen?.api ?? {};
  return JSON.stringify(shown).length;
}

function routeOf(path: string): string | undefined {
  return matchRoute(ROUTES, path)?.route.path;
}

const WITH_TEXTS = [...FULLEST].filter(
  ([path]) => !path.startsWith('e/prod/') && !WITHOUT_TEXTS.includes(routeOf(path) ?? 'login'),
);

describe('the pages on which hostile texts are placed', () => {
  it('are all that show texts', () => {
    const seen = new Set(WITH_TEXTS.map(([path]) => routeOf(path)));
    expect(ROUTES.map(({ path }) => path).filter((path) => !seen.has(path))).to.have.members(WITHOUT_TEXTS);
  });
});

describe('hostile texts in the dashboard (XSS-01)', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);
  const opened = use(this, () => chromium.open({ origins: [app.url], locale: 'en-US' }));
  let page: Page;
  let watch: ScriptWatch;

  before(async () => {
    const { profile, guard } = opened;
    guard.expect(REFUSED);
    watch = await watchScripts(profile);
    page = await profile.newPage();
  });

  // All tests share one page because a profile for each would take twice the time.
  afterEach(async () => {
    await opened.profile.setOffline(false);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    opened.guard.check();
  });

  for (const [path, { api = {}, act }] of WITH_TEXTS) {
    it(`stay texts: ${path}`, async () => {
      await showScreen(page, { url: app.url, screen: { path, api: hostileApi(api), ...(act && { act }) } });
      await until('a hostile text is shown', async () => {
        const shown = await page.evaluate<string>(SHOWN);
        return POLYGLOTS.some((text) => shown.includes(text));
      });
      await watch.expectHarmless(page);
    });
  }
});
