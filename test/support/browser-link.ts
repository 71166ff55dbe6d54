import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { SharedChromium } from './browser.ts';
import type { Guard } from './browser-guard.ts';
import type { ConnectInstallation } from './browser-installation.ts';
import { button, decide, expectHeading } from './browser-window.ts';
import { rememberSecret } from './canaries.ts';
import { mustBe } from './connect.ts';

export interface ConnectLink {
  readonly url: string;
  readonly token: string;
}

export async function newLink({ app }: Pick<ConnectInstallation, 'app'>, body: object = {}): Promise<ConnectLink> {
  const response = await app.api.post('/connect/sessions', { allowed_integrations: ['notes'], ...body });
  mustBe(201, response);
  const { connect_link: url, token } = response.body.data;
  return { url, token: rememberSecret('connect session token', token) };
}

export type LinkVisit = (page: Page, profile: BrowserContext, guard: Guard) => Promise<void>;

/** Opens connect links in a browser that has stored nothing, as before its first visit, unless the options set its storage. */
export class LinkVisitor {
  readonly #chromium: SharedChromium;
  readonly #setup: ConnectInstallation;

  constructor(chromium: SharedChromium, setup: ConnectInstallation) {
    this.#chromium = chromium;
    this.#setup = setup;
  }

  async open({ url }: Pick<ConnectLink, 'url'>, body: LinkVisit, options: BrowserContextOptions = {}): Promise<void> {
    const { app, provider, customer } = this.#setup;
    const origins = [app.url, provider.pages, customer.origin];
    await this.#chromium.profile({ origins, ...options }, async (profile, guard) => {
      const page = await profile.newPage();
      await page.goto(url);
      await body(page, profile, guard);
    });
  }

  /** Continues from the link's page to the provider's consent page. */
  async leave(page: Page): Promise<void> {
    await button(page, 'Continue to Notes').click();
    await page.waitForURL(`${this.#setup.provider.pages}/**`);
  }

  /** Connects an account through the provider's page. */
  async connect(page: Page): Promise<void> {
    await this.leave(page);
    await decide(page, 'Allow');
    await expectHeading(page, 'Notes is connected');
  }
}
