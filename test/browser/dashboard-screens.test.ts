import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { violationsOf } from '../support/browser-axe.ts';
import { inEachView, OPPOSITE_VIEWS, VIEWS, type View } from '../support/browser-screens/views.ts';
import { DASHBOARD_SCREENS } from '../support/dashboard/screens.ts';
import { visitScreen } from '../support/dashboard/visit.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

/** What is left of a desk's window that is magnified four times (WCAG 2.2 §1.4.10). */
const MAGNIFIED: View = { scheme: 'light', width: 320, height: 256 };
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('the screens of the dashboard, in both schemes, on a phone and on a desk', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  for (const [at, [name, screen]] of Object.entries(DASHBOARD_SCREENS).entries()) {
    // They have their parts in common: in turn each of these is seen in one of the two, and in a long run in all.
    const views = isLong ? VIEWS : OPPOSITE_VIEWS.filter((_, index) => index === at % OPPOSITE_VIEWS.length);
    it(`${name}: axe finds nothing, and nothing is wider than the window`, () =>
      visitScreen(chromium, { url: app.url, screen }, async (page) => {
        await inEachView(
          page,
          async (view) => {
            const what = `${view.scheme}, ${view.width} px`;
            if (view !== MAGNIFIED) expect(await violationsOf(page), what).to.deep.equal([]);
            expect(await page.evaluate(OVERFLOW), what).to.equal(0);
          },
          [...views, MAGNIFIED],
        );
      }));
  }
});
