import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { forbidMouse, Keyboard } from '../support/browser-keyboard.ts';
import { expectHeading } from '../support/browser-window.ts';
import { canary } from '../support/canaries.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { connectSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const KEY = 'notes';

describe('the dashboard without a mouse', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  const visit = (path: string, body: (page: Page, keyboard: Keyboard) => Promise<void>) =>
    visitAs({ chromium, app }, { path, prepare: forbidMouse }, (page) => body(page, new Keyboard(page)));
  const follow = async (page: Page, keyboard: Keyboard, names: readonly string[]) => {
    for (const name of names) {
      await keyboard.tabTo(page, name);
      await keyboard.press('Enter');
    }
  };

  it('goes through the first steps of the quick start (D2)', () =>
    visit('e/dev/start', async (page, keyboard) => {
      await expectHeading(page, 'Quick start');
      await page.getByRole('button', { name: 'Use the sandbox' }).waitFor();
      await follow(page, keyboard, ['Use the sandbox']);
      await page.getByRole('button', { name: 'Connect an account' }).waitFor();
      expect(await app.services.db('integrations').select('unique_key')).to.deep.equal([{ unique_key: KEY }]);
      await keyboard.tabTo(page, 'curl');
      await keyboard.press('ArrowRight');
      expect((await keyboard.focusIn(page)).name).to.equal('Node fetch');
    }));

  it('moves the focus into a menu as soon as it opens, so the next key may follow at once', () =>
    visit('e/dev/start', async (page) => {
      await page.getByRole('button', { name: 'Environment: dev' }).waitFor();
      const opened = `document.querySelector('[aria-label="Environment: dev"]').click(), document.activeElement.textContent`;
      expect(await page.evaluate<string>(opened)).to.equal('dev');
    }));

  it('finds a provider, and sets up an integration (D4, D5)', () =>
    visit('e/dev/integrations', async (page, keyboard) => {
      await page.getByRole('link', { name: 'Add integration' }).waitFor();
      await follow(page, keyboard, ['Add integration']);
      await expectHeading(page, 'Add integration');
      await page
        .getByRole('link', { name: /^GitHub/ })
        .first()
        .waitFor();
      await keyboard.press('/');
      await keyboard.type('github');
      await until('the search is over', async () => new URL(page.url()).searchParams.get('search') === 'github');
      await follow(page, keyboard, ['GitHub']);
      await page.getByRole('button', { name: 'Create integration' }).waitFor();
      for (const [label, text] of [
        ['Client ID', 'client-1'],
        ['Client secret', canary('client secret that was typed')],
      ] as const) {
        await keyboard.tabTo(page, label);
        await keyboard.type(text);
      }
      await follow(page, keyboard, ['Create integration']);
      await until('its page is there', async () => page.url().endsWith('/integrations/github/settings'));
      expect(await app.services.db('integrations').where({ unique_key: 'github' })).to.have.lengthOf(1);
    }));

  it('finds a connection, changes its tags and tries a call with it (D7, D9)', async () => {
    await connectSandbox(app, { key: KEY, session: { tags: { end_user_id: 'u-1', end_user_display_name: 'Ada Lovelace' } } });
    await visit('e/dev/connections', async (page, keyboard) => {
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      await keyboard.press('/');
      await keyboard.type('lovelace');
      await until('the search is over', async () => page.url().includes('lovelace'));
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      await follow(page, keyboard, ['ALAda Lovelace']);
      await expectHeading(page, 'Ada Lovelace');
      await page.getByRole('button', { name: 'Save tags' }).waitFor();
      await keyboard.tabTo(page, 'Tag name');
      await keyboard.type('plan');
      await keyboard.tabTo(page, 'Tag value');
      await keyboard.type('free');
      await follow(page, keyboard, ['Add tag', 'Save tags']);
      await until('the tag is stored', async () =>
        JSON.stringify(await app.services.db('connections').select('tags')).includes('free'),
      );
      await page.getByRole('link', { name: 'Try the proxy' }).press('Enter');
      await page.getByRole('button', { name: 'Send request' }).waitFor();
      await keyboard.tabTo(page, 'Path');
      await keyboard.press('End');
      await keyboard.type('me');
      await follow(page, keyboard, ['Send request']);
      await page.getByText('200', { exact: true }).waitFor();
    });
  });
});
