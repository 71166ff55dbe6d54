import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** Less than half of `axe.source`, which the browser gets and reads anew for every document. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose outcome the scheme of colours or the width of the page may change. */
export const RULES_OF_VIEWS = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];

/**
 * What is wrong with one document; evaluated from outside, so that its policy need not allow it.
 *
 * @param only tags or names of rules
 */
export async function violationsOf(document: Page | Frame, only: readonly string[] = TAGS): Promise<readonly string[]> {
  await document.evaluate(SOURCE);
  return document.evaluate(
    async (runOnly) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      // Frames are documents of their own, and a frame is no page of its own: it needs no landmark around everything.
      const { violations } = await run({ runOnly, iframes: false, rules: { region: { enabled: false } } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`);
    },
    [...only],
  );
}
