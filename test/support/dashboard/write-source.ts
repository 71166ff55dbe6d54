import type { Page } from 'playwright-core';

/** Replaces the source in the editor of scripts, as a user does: by the keyboard. */
export async function writeSource(page: Page, source: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Source' }).press('Control+A');
  await page.keyboard.insertText(source);
}
