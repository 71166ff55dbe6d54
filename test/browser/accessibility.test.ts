import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { violationsOf } from '../support/browser-axe.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { type Dress, GERMAN, JAPANESE, PLAIN } from '../support/browser-screens/dress.ts';
import { PAGE_WALKS } from '../support/browser-screens/page-walks.ts';
import { Tour } from '../support/browser-screens/tour.ts';
import { holds, inEachView, OPPOSITE_VIEWS, tabOf, VIEWS } from '../support/browser-screens/views.ts';
import { WINDOW_WALKS } from '../support/browser-screens/window-walks.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

/** The API reference is left out because axe takes many seconds to examine it; `docs.test.ts` does so. */
const { docs: _, ...PAGES } = PAGE_WALKS;
const { 'sign-in': signIn, form } = WINDOW_WALKS;
const TOURS = {
  'in plain words': { dress: PLAIN, walks: { ...WINDOW_WALKS, ...PAGES } },
  // These tours keep a browser busy for minutes, so only long runs include them.
  ...(isLong && {
    'in German, with long names, in yellow': { dress: GERMAN, walks: { 'sign-in': signIn, form } },
    'in Japanese, in a dark green': { dress: JAPANESE, walks: { 'sign-in': signIn, form } },
  }),
};
/**
 * Screens that have no heading in the accessibility tree, because nothing is loaded yet or everything except an open question is
 * inert.
 */
const WITHOUT_HEADING = ['loading', 'form-discard'];
const OF_WHOLE_PAGES = /^(page-has-heading-one|landmark-one-main):/;
const MAGNIFIED = { width: 320, height: 256 };
const DESK = { scheme: 'light', width: 1280, height: 900 } as const;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('the screens of the window and the pages around it, in both schemes, on a phone and on a desk', () => {
  for (const [name, { dress, walks }] of Object.entries(TOURS)) describeTour(name, dress, walks);
});

function describeTour(name: string, dress: Dress, walks: Readonly<Record<string, ((tour: Tour) => Promise<void>) | undefined>>) {
  describe(name, function () {
    const chromium = useChromium(this);
    const setup = use(this, startConnectInstallation);
    const seen: string[] = [];
    let tour: Tour;

    async function examine(screen: string, document: Frame | Page): Promise<void> {
      seen.push(screen);
      // Screens share their parts, so a short run examines each in only one of two views, in turns, and a long run in all views.
      const views = isLong ? VIEWS : OPPOSITE_VIEWS.filter((_, index) => index === seen.length % OPPOSITE_VIEWS.length);
      await inEachView(
        document,
        async ({ scheme, width }) => {
          const isWhole = !WITHOUT_HEADING.includes(screen);
          const faults = (await violationsOf(document)).filter((fault) => isWhole || !OF_WHOLE_PAGES.test(fault));
          expect(faults, `${screen}, ${scheme}, ${width} px`).to.deep.equal([]);
          expect(await document.evaluate(OVERFLOW), `${screen}, ${width} px`).to.equal(0);
        },
        views,
      );
      // A desktop window magnified to 400 % has this size (WCAG 2.2 §1.4.10).
      await tabOf(document).setViewportSize(MAGNIFIED);
      await holds(document, `innerWidth === ${MAGNIFIED.width}`);
      expect(await document.evaluate(OVERFLOW), `${screen}, magnified`).to.equal(0);
      // A click while the layout is still moving would miss its target.
      await tabOf(document).setViewportSize(DESK);
      await holds(document, `innerWidth !== ${MAGNIFIED.width}`);
      await inEachView(document, async () => {}, [DESK]);
    }

    before(async () => {
      tour = new Tour({ setup, dress, chromium, look: examine });
      await tour.prepare();
    });

    for (const [walk, go] of Object.entries(walks)) {
      it(`pass axe and fit into the window (check 15): ${walk}`, () => go?.(tour));
    }

    it('have distinct names', () => expect(seen).to.have.length.above(9).and.length(new Set(seen).size));
  });
}
