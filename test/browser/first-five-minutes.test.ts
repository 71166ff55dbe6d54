import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startService } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** The permissions that a page needs to write to and read from the clipboard. */
const CLIPBOARD = ['clipboard-read', 'clipboard-write'];

describe('the first five minutes', function () {
  this.timeout(180_000);
  const chromium = useChromium(this);
  const folder = use(this, temporaryFolder);
  /** A service started as by `npm start` on a fresh machine, without a configured key, database or address. */
  const service = use(this, () => startService({ env: { SVC_DATA_DIR: folder.path } }));

  const shell = async (command: string) => {
    const key = rememberSecret('API key of the first start', (await readFile(join(folder.path, 'api-key'), 'utf8')).trim());
    const env = { PATH: process.env['PATH'] ?? '', SVC_KEY: key };
    return (await promisify(execFile)('sh', ['-c', `${command} --silent --fail-with-body`], { env })).stdout;
  };

  it('lead from the link of the first start to a logged call by clicks and a name (checks 16 and 17)', () =>
    chromium.profile({ origins: [service.url], locale: 'en-US', permissions: CLIPBOARD }, async (profile) => {
      const page = await profile.newPage();
      await page.goto(await service.setupLink());
      await claim(page);
      await expectHeading(page, 'Quick start');
      await button(page, 'Use the sandbox').click();
      await step(page, 'Add an integration').getByRole('link', { name: 'notes', exact: true }).waitFor();
      await page.getByLabel('Name of your application').fill('Northwind');
      await step(page, 'Name your application').getByRole('button', { name: 'Save' }).click();
      await isTicked(page, 'Name your application');
      await connect(page);
      await isTicked(page, 'Connect a test account');
      expect(await shell(await copied(page, step(page, 'Connect a test account')))).to.contain('svc_connect_session_');

      await button(page, 'Use the inbox').click();
      await isTicked(page, 'Receive a webhook');
      await button(page, 'Run it here').click();
      await page.getByText(/^200 in /).waitFor();
      await page.locator('pre', { hasText: '"email": "ada@sandbox.example"' }).waitFor();
      await page.getByText('About five minutes. 6 of 6 done.').waitFor();
      await page.getByText('All steps are done').waitFor();
      expect(await shell(await copied(page, step(page, 'Call the API through the proxy')))).to.contain('ada');

      await page.getByRole('link', { name: 'Show the inbox' }).click();
      await expectHeading(page, 'Webhooks');
      await page.getByText('Signature valid').first().waitFor();
      await page.getByRole('link', { name: 'Logs' }).click();
      await expectHeading(page, 'Logs');
      for (const type of ['Proxy', 'Authorization', 'Webhook'])
        await page.getByRole('row').filter({ hasText: type }).first().waitFor();
    }));
});

async function claim(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@northwind.example');
  await page.getByLabel('Password').fill(canary('password of a newcomer'));
  await button(page, 'Create admin account').click();
}

/** Connects Ada's account at the sandbox, in the tab that a click opens. */
async function connect(page: Page): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await button(page, 'Connect an account').click();
  const tab = await opened;
  await tab.getByText('Northwind wants to connect your account.').waitFor();
  await button(tab, 'Continue to Sandbox').click();
  await button(tab, 'Allow').click();
  await tab.getByText('You can close this tab.').waitFor();
  await tab.close();
}

function step(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
}

/** Waits until the page marks the step as done by itself, which it checks every three seconds. */
async function isTicked(page: Page, title: string): Promise<void> {
  await step(page, title).getByText('Done').waitFor();
}

async function copied(page: Page, within: Locator): Promise<string> {
  const read = () => page.evaluate<string>('navigator.clipboard.readText()');
  const before = await read();
  await within.getByRole('button', { name: 'Copy', exact: true }).click();
  let text = '';
  await until('the command is on the clipboard', async () => {
    text = await read();
    return text !== before && text.startsWith('curl');
  });
  return text;
}
