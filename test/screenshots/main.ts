import '../support/loopback-only.ts';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Frame, Page } from 'playwright-core';
import { openChromium, type SharedChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { type Dress, GERMAN, JAPANESE, PLAIN } from '../support/browser-screens/dress.ts';
import { PAGE_WALKS } from '../support/browser-screens/page-walks.ts';
import { Tour } from '../support/browser-screens/tour.ts';
import { inEachView, tabOf, type View } from '../support/browser-screens/views.ts';
import { WINDOW_WALKS } from '../support/browser-screens/window-walks.ts';
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/hooks.ts';
import { contactSheet, fileOf, type Picture } from './contact-sheet.ts';
import { photographMockups } from './mockups.ts';

/**
 * Photographs every screen of the window and the pages around it, in both schemes, on a phone and on a desk, in three languages:
 * `npm run screenshots [-- --mockups <HTML file>] [-- --only <walk>]`. People look at the pictures; nothing compares them.
 */

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url));
const DRESSES: Readonly<Record<string, Dress>> = { plain: PLAIN, german: GERMAN, japanese: JAPANESE };
/** Of longer pages only what is seen first. */
const MAX_HEIGHT = 2_400;

const { values: given } = parseArgs({ options: { mockups: { type: 'string' }, only: { type: 'string', multiple: true } } });

await mochaGlobalSetup();
try {
  await photograph();
} finally {
  await mochaGlobalTeardown();
}

async function photograph(): Promise<void> {
  if (given.only === undefined) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await using chromium = await openChromium();
  const pictures: Picture[] = [];
  for (const [name, dress] of Object.entries(DRESSES)) pictures.push(...(await photographIn(chromium, name, dress)));
  const mockups = given.mockups === undefined ? [] : await photographMockups(chromium, given.mockups, FOLDER);
  await writeFile(join(FOLDER, 'index.html'), contactSheet([...mockups, ...pictures]));
  console.log(`${pictures.length} pictures, beside each other in ${join(FOLDER, 'index.html')}`);
}

async function photographIn(chromium: SharedChromium, name: string, dress: Dress): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  await using setup = await startConnectInstallation();
  const look = (screen: string, document: Frame | Page) =>
    inEachView(document, async (view) => {
      const picture = { set: name, screen, ...view };
      await shoot(document, view, join(FOLDER, fileOf(picture)));
      pictures.push(picture);
    });
  const tour = new Tour({ setup, dress, chromium, look });
  await tour.prepare();
  for (const [walk, go] of Object.entries({ ...WINDOW_WALKS, ...PAGE_WALKS })) {
    if (given.only !== undefined && !given.only.includes(walk)) continue;
    console.log(`${name}: ${walk}`);
    await go(tour);
  }
  return pictures;
}

async function shoot(document: Frame | Page, { width, height }: View, path: string): Promise<void> {
  const tab = tabOf(document);
  // In a window the application's page, which is as long as it likes, is only the background.
  if (document !== tab) return void (await tab.screenshot({ path }));
  const length = Number(await tab.evaluate('document.documentElement.scrollHeight'));
  const clip = { x: 0, y: 0, width, height: length > MAX_HEIGHT ? height : Math.max(height, length) };
  await tab.screenshot({ path, fullPage: true, clip });
}
