import { expect } from 'chai';
import type { BrowserContext, Frame, Page } from 'playwright-core';

/** An expression that finds elements that no page of the service contains, and elements with a script in an attribute. */
const INJECTED = `[...document.querySelectorAll('*')].filter((element) =>
  element.hasAttribute('data-xss') || ['base', 'iframe', 'object', 'embed', 'math'].includes(element.localName) && !element.matches('head > base[href="/"], iframe.preview[src="connect/preview"]') ||
  [...element.attributes].some(({ name, value }) => name.startsWith('on') || (/^(href|src|action|formaction|data|srcdoc)$/.test(name) && /^\\s*j\\s*a\\s*v\\s*a/i.test(value)))
).map(({ outerHTML }) => outerHTML.slice(0, 200))`;

const TEXT = 'document.title + document.documentElement.textContent';

/** Counts how often injected scripts, which call `xss()`, have run in the pages and frames of a profile. */
export interface ScriptWatch {
  readonly executions: number;
  /** Asserts that a document has no injected element and shows all these texts unchanged, and that no injected script has run. */
  expectHarmless(document: Page | Frame, texts?: readonly string[]): Promise<void>;
}

export async function watchScripts(profile: BrowserContext): Promise<ScriptWatch> {
  let executions = 0;
  await profile.exposeBinding('xss', () => {
    executions += 1;
  });
  return {
    get executions() {
      return executions;
    },
    async expectHarmless(document, texts = []) {
      expect(await document.evaluate(INJECTED)).to.deep.equal([]);
      const shown = await document.evaluate<string>(TEXT);
      expect(texts.filter((text) => !shown.includes(text))).to.deep.equal([]);
      expect(executions).to.equal(0);
    },
  };
}
