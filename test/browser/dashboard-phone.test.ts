import type { BrowserContext, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const PHONE = { width: 390, height: 844 };

/**
 * A script that makes every media query match as if the window became narrow while the dashboard is being rendered, before its
 * first paint.
 */
const TURNED_WHILE_DRAWN = `{
  const asked = [];
  const ask = globalThis.matchMedia.bind(globalThis);
  let isNarrow = false;
  globalThis.matchMedia = (query) => {
    const list = ask(query);
    asked.push(list);
    return Object.defineProperty(list, 'matches', { get: () => isNarrow });
  };
  new MutationObserver((_, observer) => {
    if (document.querySelector('.side') === null) return;
    observer.disconnect();
    isNarrow = true;
    for (const list of asked) list.dispatchEvent(new Event('change'));
  }).observe(document, { childList: true, subtree: true });
}`;

describe('the menu of the dashboard', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);
  const menu = (page: Page) => page.getByRole('button', { name: 'Menu' });

  it('is behind a button while the window is as narrow as a phone', () =>
    visitAs({ chromium, app }, { path: 'e/dev/home' }, async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await menu(page).waitFor({ state: 'detached' });
      await page.setViewportSize(PHONE);
      await menu(page).waitFor();
    }));

  it('is behind a button, too, if the window becomes narrow just when the menu is rendered', () => {
    const prepare = async (profile: BrowserContext) => void (await profile.addInitScript(TURNED_WHILE_DRAWN));
    return visitAs({ chromium, app }, { path: 'e/dev/home', prepare }, (page) => menu(page).waitFor());
  });
});
