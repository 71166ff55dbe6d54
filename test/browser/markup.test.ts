import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import type { Guard } from '../support/browser-guard.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, decide } from '../support/browser-window.ts';
import { type ScriptWatch, watchScripts } from '../support/browser-xss.ts';
import { makeFolders } from '../support/folders.ts';
import { POLYGLOTS } from '../support/polyglots.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

const ALL = POLYGLOTS.join(' ');
/** Hostile texts, joined in groups that fit into a tag. */
const IN_A_TAG = chunks(POLYGLOTS, 3).map((texts) => texts.join(' '));

/** Hostile texts, joined in groups that fit into a sentence of a plugin or a script. */
const IN_A_SENTENCE = chunks(POLYGLOTS, 10).map((texts) => texts.join(' '));

const NAME = POLYGLOTS.slice(0, 4).join(' ');

const at = (index: number) => POLYGLOTS[index % POLYGLOTS.length] ?? '';

/** A form in which every text is hostile and whose submission is refused with a hostile sentence. */
const FORM = {
  display_name: at(0),
  docs: 'https://docs.example.com',
  auth_mode: 'API_KEY',
  plugin: 'hostile',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    ...Object.fromEntries(POLYGLOTS.map((_, index) => [`field_${index}`, fieldOf(index)])),
    one_of_many: { type: 'string', title: at(1), enum: POLYGLOTS, default_value: at(2), warnings: { [at(2)]: ALL } },
    sentence: { type: 'string', title: 'Sentence', multiline: true },
  },
  proxy: { base_url: '${integrationConfig.server}/api' },
};
const PLUGIN = `
import { PluginError, type ProviderPlugin } from '#contract';

export default {
  contract: 1,
  auth: {
    async authenticate(ctx) {
      throw new PluginError('invalid_credentials', String(ctx.connection.connectionConfig['sentence']));
    },
  },
} satisfies ProviderPlugin;
`;

function fieldOf(index: number): object {
  const few = [at(index), at(index + 1), at(index + 2)];
  return {
    type: 'string',
    title: at(index),
    description: at(index + 1),
    optional: true,
    ...(index % 6 === 0
      ? { enum: few, warnings: { [at(index)]: at(index + 3) }, default_value: at(index) }
      : { example: at(index + 2), prefix: at(index + 3), suffix: at(index + 4), hint: 'x', pattern_message: at(index + 5) }),
  };
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
}

describe('hostile texts in the pages of the service (XSS-01)', function () {
  const chromium = useChromium(this);
  const plugins = use(this, () => makeFolders({ 'README.md': '', 'hostile/plugin.ts': PLUGIN }));
  const setup = use(this, () =>
    startConnectInstallation({ env: { SVC_PLUGINS_DIR: plugins.path }, definitions: { hostile: FORM } }),
  );

  before(async () => {
    await setup.integrate('form', { provider: 'hostile', displayName: NAME });
    await setup.integrate('sites', { provider: 'sites', displayName: NAME });
    for (const [index, displayName] of POLYGLOTS.entries()) await setup.integrate(`named-${index}`, { displayName });
    await updateConnectSettings(setup.app.services.db, 1, { brand_name: ALL, brand_color: '#3350d4' });
  });

  type Body = (customer: CustomerPage, watch: ScriptWatch, guard: Guard) => Promise<void>;
  const visit = (body: Body) =>
    setup.visit(chromium, async (customer, guard) => {
      const watch = await watchScripts(customer.page.context());
      await body(customer, watch, guard);
      expect(watch.executions).to.equal(0);
    });
  const open = async (customer: CustomerPage, session: object): Promise<Frame> => {
    await customer.openWindow({ sessionToken: await setup.session(session) });
    const frame = await customer.frame();
    await until('it is loaded', async () => (await customer.types()).includes('loaded'));
    return frame;
  };
  const tab = async (customer: CustomerPage): Promise<Page> => customer.page.context().newPage();

  it('would run in a page that treated them as markup', async () => {
    await chromium.profile({ origins: [] }, async (profile, guard) => {
      guard.expect(/./);
      const watch = await watchScripts(profile);
      const page = await profile.newPage();
      for (const [index, polyglot] of POLYGLOTS.entries())
        await page.setContent(`<!doctype html><title>${index}</title><div title="x">${polyglot}</div>`);
      await page.waitForFunction('document.readyState === "complete"');
      expect(watch.executions).to.be.above(30);
      const harmless = await watch.expectHarmless(page).then(
        () => true,
        () => false,
      );
      expect(harmless).to.equal(false);
    });
  });

  it('stay text as names of integrations and of the application, in the picker and its search', async () => {
    await visit(async (customer, watch) => {
      const frame = await open(customer, {});
      await watch.expectHarmless(frame, [...POLYGLOTS, NAME, ALL]);
      await frame.getByRole('searchbox').fill(`${ALL} zzz`);
      await frame.getByText('Nothing matches').waitFor();
      await watch.expectHarmless(frame, [ALL]);
    });
  });

  it('stay text in every part of a form, and in the error message of a plugin', async () => {
    await visit(async (customer, watch) => {
      const frame = await open(customer, { allowed_integrations: ['form'] });
      await frame.locator('form').waitFor();
      await watch.expectHarmless(frame, [...POLYGLOTS, NAME]);
      await frame.locator('input[type=password]').fill('a-key');
      // Each field is filled in and left once, because only then is its hint shown.
      await frame.evaluate(`for (const input of document.querySelectorAll('input.input:not([type=password])'))
        { input.focus(); input.value = 'y'; input.dispatchEvent(new Event('input', { bubbles: true })); input.blur(); }`);
      await watch.expectHarmless(frame);
      for (const sentence of IN_A_SENTENCE) {
        await frame.getByLabel('Sentence', { exact: true }).fill(sentence);
        await button(frame, 'Connect').click();
        await frame.getByRole('alert').getByText(sentence).waitFor();
        await watch.expectHarmless(frame, [sentence]);
      }
    });
  });

  it('stay text in the error message of a script', async () => {
    const source = `export default async (svc) => {
      const { subdomain } = (await svc.getConnection()).connection_config;
      throw new svc.ScriptError(${JSON.stringify(IN_A_SENTENCE)}[Number(subdomain.slice(1))]);
    };`;
    await deploy(setup.app, { event: 'validate-connection', source, key: 'desk' });
    await visit(async (customer, watch) => {
      const frame = await open(customer, { allowed_integrations: ['desk'] });
      await frame.getByLabel('API key', { exact: true }).fill(setup.provider.settings.apiKey);
      for (const [index, sentence] of IN_A_SENTENCE.entries()) {
        await frame.getByLabel('Subdomain', { exact: true }).fill(`s${index}`);
        await button(frame, 'Connect').click();
        await frame.locator('blockquote').getByText(sentence).waitFor();
        await watch.expectHarmless(frame, [sentence]);
        await button(frame, 'Try again').click();
      }
    });
  });

  it('stay text as the name of the user, behind a link', async () => {
    await visit(async (customer, watch) => {
      const page = await tab(customer);
      await page.goto(`${setup.app.url}/connect/l`);
      for (const name of IN_A_TAG) {
        const token = await setup.session({ allowed_integrations: ['notes'], tags: { end_user_display_name: name } });
        await page.evaluate(`void (location.hash = ${JSON.stringify(token)})`);
        await until('the name is there', async () => {
          const text = (await page.textContent('main')) ?? '';
          // The name alone would prove nothing, because the application's name on the same page contains all hostile texts.
          return text.includes(`for ${name}`) && text.includes('Continue to');
        });
        await watch.expectHarmless(page, [name]);
      }
    });
  });

  it('stay text as choices and as the account, in the window and in the pages of the sign-in', async () => {
    Object.assign(setup.provider.settings, {
      sites: POLYGLOTS.map((name, index) => ({ id: String(index), name })),
      account: { id: 'ada', name: ALL.slice(0, 200), email: 'ada@acme.example' },
    });
    await visit(async (customer, watch) => {
      const frame = await open(customer, { allowed_integrations: ['sites'], tags: { end_user_display_name: IN_A_TAG[0] } });
      const popup = customer.page.context().waitForEvent('page');
      await frame.locator('button[type=submit]').click();
      await decide(await popup, 'Allow');
      await frame
        .getByRole('radio')
        .nth(POLYGLOTS.length - 1)
        .waitFor();
      await watch.expectHarmless(frame, POLYGLOTS);
      await frame.getByRole('radio').first().check();
      await frame.locator('button[type=submit]').click();
      await frame.getByText('Connected as').waitFor();
      await watch.expectHarmless(frame, [at(0)]);
    });
  });

  it('stay text, or are not shown, as errors of a provider', async () => {
    setup.provider.settings.error = { error: ALL, error_description: ALL };
    await visit(async (customer, watch, guard) => {
      guard.expect(/status of 400/);
      const frame = await open(customer, { allowed_integrations: ['notes'] });
      const opened = customer.page.context().waitForEvent('page');
      await button(frame, 'Continue to Notes').click();
      const popup = await opened;
      await popup.getByRole('button', { name: 'Close window' }).waitFor();
      await watch.expectHarmless(popup);
      await frame.getByText('Details for support').click();
      await watch.expectHarmless(frame);
    });
    setup.provider.settings.error = undefined;
  });

  it('are not shown by pages whose address holds them', async () => {
    await visit(async (customer, watch, guard) => {
      guard.expect(/status of 4/);
      const page = await tab(customer);
      const policies = new Set<string>();
      page.on('response', (response) => {
        if (response.request().isNavigationRequest()) policies.add(response.headers()['content-security-policy'] ?? 'none');
      });
      for (const polyglot of chunks(POLYGLOTS, 6).map((texts) => texts.join(' '))) {
        const query = new URLSearchParams({ error: polyglot, error_description: polyglot, state: polyglot, code: polyglot });
        await page.goto(`${setup.app.url}/oauth/callback?${query}`);
        await watch.expectHarmless(page);
      }
      const text = encodeURIComponent(ALL);
      for (const address of [
        `/oauth/connect/${encodeURIComponent(at(0))}?connect_session_token=${text}`,
        `/connect/l?lang=${text}#${text}`,
        `/connect?session_token=${text}&lang=${text}#origin=${text}&theme=${text}&integration=${text}`,
        `/connect#origin=javascript:xss()&lang=${text}&theme=${text}`,
        `/connect/launch#${text}`,
        `/docs?${text}#${text}`,
      ]) {
        await page.goto('about:blank');
        await page.goto(setup.app.url + address);
        await page.locator('h1').first().waitFor();
        await watch.expectHarmless(page);
      }
      for (const policy of policies)
        expect(policy)
          .to.match(/default-src 'none'|script-src/)
          .and.not.include('unsafe-');
    });
  });
});
