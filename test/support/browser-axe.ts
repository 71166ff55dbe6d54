import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The minified source of axe. The browser parses it for every document, and it is less than half as long as `axe.source`. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose outcome may depend on the color scheme or the width of the page. */
export const RULES_OF_VIEWS = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];

/**
 * Returns the accessibility violations of one document. Playwright evaluates the check from outside the document, so that the
 * document's content security policy need not allow it.
 *
 * @param only tags or names of the rules to check
 */
export async function violationsOf(document: Page | Frame, only: readonly string[] = TAGS): Promise<readonly string[]> {
  await document.evaluate(SOURCE);
  return document.evaluate(
    async (runOnly) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      // Each frame is checked in a separate call. A frame is not a page, so its content need not be inside landmarks.
      const { violations } = await run({ runOnly, iframes: false, rules: { region: { enabled: false } } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`);
    },
    [...only],
  );
}
