import type { Frame, Page } from 'playwright-core';
import type { CustomerPage } from './browser-customer/customer.ts';
import { until } from './until.ts';

/** Waits until the main heading of a document has this text. */
export async function expectHeading(document: Frame | Page, text: string): Promise<void> {
  await document.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
}

export function button(document: Frame | Page, name: string) {
  return document.getByRole('button', { name, exact: true });
}

/** Clicks "Continue to …" in the connect window. @returns the popup window that the click opens */
export async function continueTo(customer: CustomerPage, frame: Frame, name: string): Promise<Page> {
  const popup = customer.page.context().waitForEvent('page');
  await button(frame, `Continue to ${name}`).click();
  return popup;
}

/** Clicks "Allow" or "Deny" on the provider's consent page. */
export async function decide(popup: Page, answer: 'Allow' | 'Deny'): Promise<void> {
  await popup.getByRole('link', { name: answer }).click();
}

/** Waits until the heading has the focus, which makes screen readers continue there when the window shows another screen. */
export async function expectFocusOnHeading(frame: Frame): Promise<void> {
  // The content security policy forbids a function that waits inside the page.
  await until('the heading has the focus', () => frame.evaluate('document.activeElement?.localName === "h1"'));
}
