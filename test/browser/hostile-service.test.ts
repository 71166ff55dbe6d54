import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button } from '../support/browser-window.ts';
import { type ScriptWatch, watchScripts } from '../support/browser-xss.ts';
import { POLYGLOTS } from '../support/polyglots.ts';
import { use } from '../support/use.ts';

const ALL = POLYGLOTS.join(' ');
/** The part of a long message that the window shows. */
const MESSAGE = ALL.slice(0, 500);
const ACCOUNT = { name: ALL, email: ALL };
const ERROR = { code: ALL, message: ALL, fields: [], log_id: ALL, retry_after: null };

/** The names of the fields of responses that hold texts for people to read. */
const TEXTS = new Set([
  ...['display_name', 'name', 'title', 'description', 'example', 'hint', 'prefix', 'suffix', 'pattern_message'],
  ...['callback_url', 'sign_in_host', 'logo_url', 'email'],
]);

function hostile(json: string): object {
  return JSON.parse(json, (key, value) => (TEXTS.has(key) && typeof value === 'string' ? ALL : value));
}

describe('the window, if the service escaped and checked nothing (XSS-01)', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  /** Runs a test on the page behind a connect link, and asserts that no hostile script has run. */
  function behindLink(body: (page: Page, watch: ScriptWatch, context: BrowserContext) => Promise<void>): Promise<void> {
    return setup.visit(chromium, async (customer, guard) => {
      // The URL of the logo is hostile text, so the browser finds no logo.
      guard.expect(/status of 404/);
      const context = customer.page.context();
      const watch = await watchScripts(context);
      await body(await context.newPage(), watch, context);
      expect(watch.executions).to.equal(0);
    });
  }

  async function open(page: Page, token: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${setup.app.url}/connect/l#${token}`);
    await page.locator('form').waitFor();
  }

  it('shows each text of a session, a form, a failure, a choice and an account literally', async () => {
    const tags = { end_user_display_name: 'Ada' };
    const token = await setup.session({ allowed_integrations: ['desk'], tags });
    await behindLink(async (page, watch, context) => {
      const reconnect = { integration: 'desk', account: ACCOUNT };
      const brand = { name: ALL, logo_url: ALL, color: ALL, radius: null, theme: 'system' };
      await context.route('**/connect/session', async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        await route.fulfill({ response, json: hostile(JSON.stringify({ data: { ...data, brand, reconnect } })) });
      });
      await context.route('**/connect/integrations/*', async (route) => {
        const response = await route.fetch();
        const scopes = [{ name: 'read', description: ALL }];
        const { data } = await response.json();
        await route.fulfill({ response, json: hostile(JSON.stringify({ data: { ...data, scopes, is_reconnect: true } })) });
      });
      let flow: object = {};
      await context.route('**/connect/flows', async (route) => {
        const { id, integration_id } = route.request().postDataJSON();
        const none = { error: null, account: null, options: [], is_limited: false, version: 1 };
        await route.fulfill({ status: 201, json: { data: { id, integration_id, ...none, ...flow } } });
      });
      // The event stream sends nothing, so the window keeps the state of the response above, such as a choice.
      await context.route('**/connect/flows/*/events', () => {});

      for (const [next, shown, at] of [
        [{ state: 'failed', error: ERROR }, MESSAGE, 'blockquote'],
        [{ state: 'failed', error: { ...ERROR, code: 'credentials_rejected' } }, ALL, '[role=alert]'],
        [{ state: 'choosing', options: POLYGLOTS.map((label) => ({ id: label, label })) }, ALL, '[type=radio]'],
        [{ state: 'succeeded', account: ACCOUNT }, ALL, '.ring.ok'],
      ] as const) {
        flow = next;
        await open(page, token);
        await watch.expectHarmless(page, [ALL]);
        for (const field of await page.locator('form input').all()) await field.fill('acme');
        await button(page, 'Reconnect').click();
        await page.locator(at).first().waitFor({ state: 'attached' });
        await watch.expectHarmless(page, [shown]);
      }
    });
  });

  it('follows only https addresses', async () => {
    const token = await setup.session({ allowed_integrations: ['desk'] });
    await behindLink(async (page, watch, context) => {
      let address = '';
      await context.route('**/connect/session', async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        await route.fulfill({ response, json: { data: { ...data, return_url: address } } });
      });
      await context.route('**/connect/integrations/*', async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        const fields = data.fields.map((field: object) => ({ ...field, help_url: address }));
        await route.fulfill({ response, json: { data: { ...data, guide_url: address, fields } } });
      });
      const links = async () => [await page.locator('a').count(), await button(page, 'Close').count()];
      for (address of ['https://app.example', 'javascript:xss()//', 'java\tscript:xss()', 'data:text/html,x', 'vbscript:x']) {
        await open(page, token);
        expect(await links(), address).to.deep.equal(address.startsWith('https:') ? [3, 1] : [0, 0]);
        await watch.expectHarmless(page);
      }
    });
  });
});
