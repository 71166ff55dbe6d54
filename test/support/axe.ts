import axe from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Fails with what is wrong, and where. Evaluated from outside the page, so that its policy need not allow scripts. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`);
  });
  expect(found).to.deep.equal([]);
}

/** What the page has complained about so far: errors of the console, violations of the policy among them. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
