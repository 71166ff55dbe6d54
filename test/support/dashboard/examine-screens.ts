import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useChromium } from '../browser.ts';
import { violationsOf } from '../browser-axe.ts';
import { inEachView, OPPOSITE_VIEWS, VIEWS, type View } from '../browser-screens/views.ts';
import { isLong } from '../size.ts';
import { startTenant } from '../tenant.ts';
import { use } from '../use.ts';
import type { DashboardScreen } from './screen.ts';
import { REFUSED, showScreen } from './visit.ts';

/** The size of a desktop window that is magnified four times (WCAG 2.2 §1.4.10). */
const MAGNIFIED: View = { scheme: 'light', width: 320, height: 256 };
const DESK = { width: 1280, height: 900 };
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** An expression for how far the page scrolls beyond its content, in pixels. */
const EMPTINESS = `document.documentElement.scrollHeight
  - Math.max(innerHeight, ...[...document.querySelectorAll('main, nav, dialog')].map((one) => one.getBoundingClientRect().bottom + scrollY))`;
const MOST_EMPTINESS = 100;

/** Defines the suite for some screens of the dashboard: each on a phone and on a desk, in both schemes. */
export function examineScreens(title: string, screens: Readonly<Record<string, DashboardScreen>>): void {
  describe(title, function () {
    const chromium = useChromium(this);
    const app = use(this, startTenant);
    const opened = use(this, () => chromium.open({ origins: [app.url], locale: 'en-US', viewport: DESK }));
    let page: Page;

    before(async () => {
      opened.guard.expect(REFUSED);
      page = await opened.profile.newPage();
    });

    // All tests share one page because a profile for each would take twice the time.
    afterEach(async () => {
      await opened.profile.setOffline(false);
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.setViewportSize(DESK);
      opened.guard.check();
    });

    for (const [at, [name, screen]] of Object.entries(screens).entries()) {
      // Screens share their parts, so a short run shows each in only one of two views and lets axe examine half of them; a long run
      // examines all in all views.
      const views = isLong ? VIEWS : OPPOSITE_VIEWS.filter((_, index) => index === at % OPPOSITE_VIEWS.length);
      const isExamined = isLong || at % 4 < OPPOSITE_VIEWS.length;
      it(`${name}: ${isExamined ? 'axe finds nothing, and ' : ''}nothing is wider than the window, or scrolls into nothing`, async () => {
        await showScreen(page, { url: app.url, screen });
        await inEachView(
          page,
          async (view) => {
            const what = `${view.scheme}, ${view.width} px`;
            if (isExamined && view !== MAGNIFIED) expect(await violationsOf(page), what).to.deep.equal([]);
            expect(await page.evaluate(OVERFLOW), what).to.equal(0);
            expect(await page.evaluate(EMPTINESS), what).to.be.at.most(MOST_EMPTINESS);
          },
          [...views, MAGNIFIED],
        );
      });
    }
  });
}
