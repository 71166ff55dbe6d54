import type { Frame, Page } from 'playwright-core';
import type { CustomerPage } from './browser-customer/customer.ts';
import { until } from './until.ts';

/** The first heading that people read; the test waits for it. */
export async function expectHeading(document: Frame | Page, text: string): Promise<void> {
  await document.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
}

export function button(document: Frame | Page, name: string) {
  return document.getByRole('button', { name, exact: true });
}

/** Clicks "Continue to …". @returns the window that the click opens */
export async function continueTo(customer: CustomerPage, frame: Frame, name: string): Promise<Page> {
  const popup = customer.page.context().waitForEvent('page');
  await button(frame, `Continue to ${name}`).click();
  return popup;
}

/** The person decides at the provider. */
export async function decide(popup: Page, answer: 'Allow' | 'Deny'): Promise<void> {
  await popup.getByRole('link', { name: answer }).click();
}

/** Where the screen readers are: after each change of the screen on its heading. */
export async function expectFocusOnHeading(frame: Frame): Promise<void> {
  // A function that waits in the page would be against its policy.
  await until('the heading has the focus', () => frame.evaluate('document.activeElement?.localName === "h1"'));
}
