import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { RULES_OF_VIEWS, violationsOf } from '../support/browser-axe.ts';
import { holds, inEachView, OPPOSITE_VIEWS, VIEWS } from '../support/browser-screens/views.ts';
import { DASHBOARD_SCREENS } from '../support/dashboard/screens.ts';
import { visitScreen } from '../support/dashboard/visit.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

/** The other views differ in a few rules only. */
const EVERYTHING_IN = OPPOSITE_VIEWS[0];
/** What is left of a desk's window that is magnified four times (WCAG 2.2 §1.4.10). */
const MAGNIFIED = { width: 320, height: 256 };
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('the screens of the dashboard, in both schemes, on a phone and on a desk', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  for (const [name, screen] of Object.entries(DASHBOARD_SCREENS))
    it(`${name}: axe finds nothing, and nothing is wider than the window`, () =>
      visitScreen(chromium, { url: app.url, screen }, async (page) => {
        await inEachView(
          page,
          async (view) => {
            const { scheme, width } = view;
            const isWhole = isLong || view === EVERYTHING_IN;
            const found = await (isWhole ? violationsOf(page) : violationsOf(page, RULES_OF_VIEWS));
            expect(found, `${scheme}, ${width} px`).to.deep.equal([]);
            expect(await page.evaluate(OVERFLOW), `${width} px`).to.equal(0);
          },
          isLong ? VIEWS : OPPOSITE_VIEWS,
        );
        await page.setViewportSize(MAGNIFIED);
        await holds(page, `innerWidth === ${MAGNIFIED.width}`);
        expect(await page.evaluate(OVERFLOW), 'magnified').to.equal(0);
      }));
});
