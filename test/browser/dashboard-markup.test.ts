import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { matchRoute } from '../../ui/dashboard/app/router.ts';
import { useChromium } from '../support/browser.ts';
import { watchScripts } from '../support/browser-xss.ts';
import { hostileApi } from '../support/dashboard/hostile-api.ts';
import type { DashboardScreen } from '../support/dashboard/screen.ts';
import { DASHBOARD_SCREENS } from '../support/dashboard/screens.ts';
import { SIGNED_IN, stubApi } from '../support/dashboard/stub-api.ts';
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

describe('hostile texts in the dashboard (XSS-01)', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);
  const withTexts = [...FULLEST].filter(
    ([path]) => !path.startsWith('e/prod/') && !WITHOUT_TEXTS.includes(routeOf(path) ?? 'login'),
  );

  it('are placed on every page that shows texts', () => {
    const seen = new Set(withTexts.map(([path]) => routeOf(path)));
    expect(ROUTES.map(({ path }) => path).filter((path) => !seen.has(path))).to.have.members(WITHOUT_TEXTS);
  });

  for (const [path, { api = {}, act }] of withTexts) {
    it(`stay texts: ${path}`, () =>
      chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile, guard) => {
        guard.expect(/status of [45]\d\d/);
        const watch = await watchScripts(profile);
        await stubApi(profile, { ...SIGNED_IN, ...hostileApi(api) });
        const page = await profile.newPage();
        await page.goto(`${app.url}/${path}`);
        await act?.(page);
        await until('a hostile text is shown', async () => {
          const shown = await page.evaluate<string>(SHOWN);
          return POLYGLOTS.some((text) => shown.includes(text));
        });
        await watch.expectHarmless(page);
      }));
  }
});
