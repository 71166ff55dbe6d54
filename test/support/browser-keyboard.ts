import { expect } from 'chai';
import type { BrowserContext, Frame, Page } from 'playwright-core';

/** The least thickness of a focus indicator (WCAG 2.2 §2.4.13). */
const MIN_RING_PX = 2;

/** More presses of the Tab key than it takes to go around any page. */
const ONCE_AROUND = 40;
const LOADING_MS = 10_000;
const TO_AND_FRO = { forth: 'Tab', back: 'Shift+Tab' };

/** Describes the focused element. An ancestor may have the focus ring instead, such as the box around a field and its suffix. */
const FOCUS = `(() => {
  const element = document.activeElement ?? document.body;
  let ring = 0;
  for (let at = element; at !== null; at = at.parentElement) {
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    if (outlineStyle !== 'none') ring = Math.max(ring, parseFloat(outlineWidth));
  }
  const name = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
  const { localName: tag, type = '' } = element;
  return { tag, name: name.replace(/\\s+/g, ' ').trim().slice(0, 200), ring, isMeant: tag !== 'body' && tag !== 'iframe' };
})()`;

const REPORT_MOUSE = `for (const type of ['pointerdown', 'mousedown', 'touchstart'])
  addEventListener(type, () => console.error('this test does without a ' + type), true);`;

interface Focus {
  readonly tag: string;
  readonly name: string;
  /** The width of the outline around the element or an ancestor, in px; 0 if there is none. */
  readonly ring: number;
  /** False if no element has the focus, or only a frame, inside which another element has it. */
  readonly isMeant: boolean;
}

/** Makes pages of a profile report any use of a mouse or a touchscreen as an error in the console, which the guard finds. */
export async function forbidMouse(profile: BrowserContext): Promise<void> {
  await profile.addInitScript(REPORT_MOUSE);
  for (const page of profile.pages()) await page.evaluate(REPORT_MOUSE);
}

/** A person who has a keyboard and no mouse. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.#page.keyboard.press(key)), Promise.resolve());
  }

  /** Types a text key by key. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Returns the element that has the focus in a document. */
  focusIn(document: Frame | Page): Promise<Focus> {
    return document.evaluate(FOCUS);
  }

  /**
   * Presses Tab until the element with this name has the focus; it may still be loading at first. Every element on the way must
   * show that it has the focus.
   */
  async tabTo(document: Frame | Page, name: string, way: keyof typeof TO_AND_FRO = 'forth'): Promise<void> {
    const passed: string[] = [];
    const deadline = performance.now() + LOADING_MS;
    while (passed.length < ONCE_AROUND || performance.now() < deadline) {
      await this.press(TO_AND_FRO[way]);
      const focus = await this.focusIn(document);
      if (focus.isMeant) expect(focus.ring, `the ring around "${focus.name}"`).to.be.at.least(MIN_RING_PX);
      if (focus.name.startsWith(name)) return;
      passed.push(`${focus.tag} "${focus.name}"`);
    }
    throw new Error(`Tab does not lead to "${name}", but to:\n${passed.slice(-ONCE_AROUND).join('\n')}`);
  }
}
