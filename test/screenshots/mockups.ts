import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SharedChromium } from '../support/browser.ts';
import { fileOf, type Picture } from './contact-sheet.ts';

/** The screens that the windows in the designer's file show, in the order of the file. */
const SCREENS = ['picker', 'sign-in', 'form-rejected', 'waiting', 'success', 'failure'];
const WIDTH = 1280;

/** Photographs the windows in a designer's HTML file (its `.win` elements), for comparison with the real screens. */
export async function photographMockups(chromium: SharedChromium, file: string, folder: string): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  await chromium.profile({ origins: [], viewport: { width: WIDTH, height: 900 } }, async (profile) => {
    const page = await profile.newPage();
    await page.goto(pathToFileURL(resolve(file)).href);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const windows = await page.locator('.win').all();
      for (const [index, window] of windows.entries()) {
        const picture = { set: 'mockup', screen: SCREENS[index] ?? `${index + 1}`, scheme, width: WIDTH };
        await window.screenshot({ path: join(folder, fileOf(picture)) });
        pictures.push(picture);
      }
    }
  });
  return pictures;
}
