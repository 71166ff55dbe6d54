import type { Frame, Page } from 'playwright-core';
import { updateConnectSettings } from '../../../core/tenants/environments/connect-settings-store.ts';
import type { TextKey } from '../../../ui/connect/texts/en.ts';
import { translator } from '../../../ui/connect/texts/translate.ts';
import type { SharedChromium } from '../browser.ts';
import type { CustomerPage } from '../browser-customer/customer.ts';
import type { ConnectInstallation } from '../browser-installation.ts';
import { button, expectHeading } from '../browser-window.ts';
import { rememberSecret } from '../canaries.ts';
import { mustBe } from '../connect.ts';
import type { Dress } from './dress.ts';

const ENVIRONMENT = 1;
const CATALOGUE = ['app-store-connect', 'sendgrid', 'sandbox-api-key'];
/** Errors in the console that some screens are meant to cause: responses with a status of 4xx, and a browser that is offline. */
const REFUSED = [/status of 4\d\d/, /ERR_INTERNET_DISCONNECTED/];
/** A script that keeps pages open that would otherwise close themselves, so that they can be examined. */
const KEEP_OPEN = 'window.close = () => {};';

/** Examines one screen of a tour. It is called for each screen in turn, with the screen's name. */
export type Look = (screen: string, document: Frame | Page) => Promise<void>;

type Key = keyof Dress['names'];

/** A tour of an installation that examines each screen of the connect window and each page around it. */
export class Tour {
  readonly setup: ConnectInstallation;
  readonly dress: Dress;
  readonly look: Look;
  readonly #chromium: SharedChromium;

  constructor(stage: { setup: ConnectInstallation; dress: Dress; chromium: SharedChromium; look: Look }) {
    this.setup = stage.setup;
    this.dress = stage.dress;
    this.look = stage.look;
    this.#chromium = stage.chromium;
  }

  /** Gives the installation the brand, integrations and accounts of the dress. */
  async prepare(): Promise<void> {
    const { app, provider } = this.setup;
    const { brand, names, account, sites } = this.dress;
    await updateConnectSettings(app.services.db, ENVIRONMENT, brand);
    for (const [key, displayName] of Object.entries(names)) {
      const isThere = key === 'notes' || key === 'desk';
      if (isThere) mustBe(200, await app.api.patch(`/integrations/${key}`, { display_name: displayName }));
      else await this.setup.integrate(key, { provider: key, displayName });
    }
    await this.setup.integrate('gone', { provider: 'open' });
    // These bundled providers add what the installation's own ones lack: logos, categories, and a form of many fields.
    for (const provider of CATALOGUE) mustBe(200, await app.api.post('/integrations', { unique_key: provider, provider }));
    Object.assign(provider.settings, { account, sites: sites.map((name, index) => ({ id: `site-${index}`, name })) });
  }

  /** Returns a text of the connect window in the language of the dress. */
  say(text: TextKey, key?: Key): string {
    const { texts, locale: tag, brand, names } = this.dress;
    return translator({ tag, texts }, brand.brand_name)(text, key && { name: names[key] });
  }

  /** Waits for the heading of a screen and examines the screen. */
  async show(screen: string, document: Frame | Page, heading: string): Promise<void> {
    await expectHeading(document, heading);
    await this.look(screen, document);
  }

  click(document: Frame | Page, text: TextKey, key?: Key): Promise<void> {
    return button(document, this.say(text, key)).click();
  }

  /** Runs a body with the application's page in a fresh profile. The connect window is not open yet. */
  page(body: (customer: CustomerPage) => Promise<void>): Promise<void> {
    const visit: Parameters<ConnectInstallation['visit']>[1] = async (customer, guard) => {
      guard.expect(...REFUSED);
      await customer.page.context().addInitScript(KEEP_OPEN);
      await body(customer);
    };
    return this.setup.visit(this.#chromium, visit, { locale: this.dress.locale });
  }

  /** Runs a body with the connect window, open with a new session for this integration or, if undefined, for all. */
  window(key: string | undefined, body: (frame: Frame, customer: CustomerPage) => Promise<void>): Promise<void> {
    return this.page(async (customer) => body(await this.open(customer, await this.session(key)), customer));
  }

  session(key?: string): Promise<string> {
    return this.setup.session({ tags: this.dress.person, ...(key !== undefined && { allowed_integrations: [key] }) });
  }

  async open(customer: CustomerPage, sessionToken: string): Promise<Frame> {
    await customer.openWindow({ sessionToken, lang: this.dress.locale });
    return customer.frame();
  }

  async newLink(key?: string): Promise<string> {
    const only = key === undefined ? {} : { allowed_integrations: [key] };
    const response = await this.setup.app.api.post('/connect/sessions', { tags: this.dress.person, ...only });
    mustBe(201, response);
    rememberSecret('connect session token', response.body.data.token);
    return response.body.data.connect_link;
  }

  /** Runs a body with the page of the service at this URL, in a fresh profile. */
  visit(url: string, body: (page: Page) => Promise<void>): Promise<void> {
    const { app, provider } = this.setup;
    const options = { origins: [app.url, provider.pages], locale: this.dress.locale };
    return this.#chromium.profile(options, async (profile, guard) => {
      guard.expect(...REFUSED);
      await profile.addInitScript(KEEP_OPEN);
      const page = await profile.newPage();
      await page.goto(url);
      await body(page);
    });
  }
}
