import '../support/loopback-only.ts';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Frame, Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { openChromium, type SharedChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { type Dress, GERMAN, JAPANESE, PLAIN } from '../support/browser-screens/dress.ts';
import { PAGE_WALKS } from '../support/browser-screens/page-walks.ts';
import { Tour } from '../support/browser-screens/tour.ts';
import { inEachView, tabOf, type View } from '../support/browser-screens/views.ts';
import { WINDOW_WALKS } from '../support/browser-screens/window-walks.ts';
import { DASHBOARD_SCREENS } from '../support/dashboard/screens.ts';
import { visitScreen } from '../support/dashboard/visit.ts';
import { setUpRun, tearDownRun } from '../support/run-setup.ts';
import { contactSheet, fileOf, type Picture } from './contact-sheet.ts';
import { photographMockups } from './mockups.ts';
import { photographReadme } from './readme-picture.ts';

/**
 * Photographs every screen of the window, of the pages around it and of the dashboard, in both color schemes, on a phone and
 * on a desktop, in three languages, and the pictures of README.md. People look at the pictures; nothing compares them. The
 * command is `npm run screenshots [-- --mockups <HTML file>] [-- --only <walk, dashboard screen or readme>]`.
 */

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url));
const DRESSES: Readonly<Record<string, Dress>> = { plain: PLAIN, german: GERMAN, japanese: JAPANESE };
/** The height, in pixels, at which pictures of longer pages are cut. */
const MAX_HEIGHT = 2_400;

const { values: given } = parseArgs({ options: { mockups: { type: 'string' }, only: { type: 'string', multiple: true } } });

await setUpRun();
try {
  await photograph();
} finally {
  await tearDownRun();
}

async function photograph(): Promise<void> {
  if (given.only === undefined) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await using chromium = await openChromium();
  if (isWanted('readme')) await photographReadme(chromium);
  const pictures: Picture[] = [];
  pictures.push(...(await photographDashboard(chromium)));
  for (const [name, dress] of Object.entries(DRESSES)) pictures.push(...(await photographIn(chromium, name, dress)));
  const mockups = given.mockups === undefined ? [] : await photographMockups(chromium, given.mockups, FOLDER);
  await writeFile(join(FOLDER, 'index.html'), contactSheet([...mockups, ...pictures]));
  console.log(`${pictures.length} pictures, beside each other in ${join(FOLDER, 'index.html')}`);
}

function isWanted(name: string): boolean {
  return given.only === undefined || given.only.some((one) => name === one || name.startsWith(`${one}-`));
}

async function photographDashboard(chromium: SharedChromium): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  const wanted = Object.entries(DASHBOARD_SCREENS).filter(([name]) => isWanted(name));
  if (wanted.length === 0) return pictures;
  await using app = await startApp();
  for (const [name, screen] of wanted) {
    console.log(`dashboard: ${name}`);
    await visitScreen(chromium, { url: app.url, screen }, (page) =>
      inEachView(page, async (view) => {
        const picture = { set: 'dashboard', screen: name, ...view };
        await shoot(page, view, join(FOLDER, fileOf(picture)));
        pictures.push(picture);
      }),
    );
  }
  return pictures;
}

async function photographIn(chromium: SharedChromium, name: string, dress: Dress): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  const walks = Object.entries({ ...WINDOW_WALKS, ...PAGE_WALKS }).filter(([walk]) => isWanted(walk));
  if (walks.length === 0) return pictures;
  await using setup = await startConnectInstallation();
  const look = (screen: string, document: Frame | Page) =>
    inEachView(document, async (view) => {
      const picture = { set: name, screen, ...view };
      await shoot(document, view, join(FOLDER, fileOf(picture)));
      pictures.push(picture);
    });
  const tour = new Tour({ setup, dress, chromium, look });
  await tour.prepare();
  for (const [walk, go] of walks) {
    console.log(`${name}: ${walk}`);
    await go(tour);
  }
  return pictures;
}

async function shoot(document: Frame | Page, { width, height }: View, path: string): Promise<void> {
  const tab = tabOf(document);
  // Behind the window, the application's page is only the background, so its length does not matter.
  if (document !== tab) return void (await tab.screenshot({ path }));
  const length = Number(await tab.evaluate('scrollTo(0, 0), document.documentElement.scrollHeight'));
  const clip = { x: 0, y: 0, width, height: Math.min(Math.max(height, length), MAX_HEIGHT) };
  await tab.screenshot({ path, fullPage: true, clip });
}
