import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { insertRun } from '../../core/scripts/run-store.ts';
import { useChromium } from '../support/browser.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { finishedRun } from '../support/stored-script.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startScriptedService } from '../support/user-scripts.ts';

const EVENT = 'post-connection-creation';
const sourceOf = (word: string) => `export default async (svc) => {
  const { data } = await svc.get({ endpoint: '/me' });
  svc.log('${word}', { name: data.name });
};
`;

describe('scripts in the dashboard', function () {
  const chromium = useChromium(this);
  const service = use(this, () => startScriptedService());
  let connectionId = '';

  before(async () => {
    await service.deploy(EVENT, sourceOf('first'));
    ({ connectionId } = await service.connect());
    const { db } = service.app.services;
    const { id: scriptId } = await db('scripts').first('id');
    const log = [{ at: 1, level: 'info', message: 'hello' }] as const;
    await insertRun(db, finishedRun({ scriptId, status: 'killed', cause: 'timeout', log }));
  });

  const visit = (body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts' }, async (page, { guard }) => {
      guard.expect(/status of 400/);
      await page.getByRole('link', { name: EVENT }).click();
      await expectHeading(page, EVENT);
      await body(page);
    });
  const active = async () => (await service.app.api.get('/integrations/fake/scripts')).body.data[0].version;

  it('are deployed, compared and rolled back; what does not compile is kept for its author', () =>
    visit(async (page) => {
      await button(page, 'New version').click();
      const source = page.getByRole('textbox', { name: 'Source' });
      await source.fill('export default async (svc) => {');
      await button(page, 'Deploy').click();
      await page.getByText('line 1, column').waitFor();
      expect(await source.inputValue()).to.equal('export default async (svc) => {');
      await source.fill(sourceOf('second'));
      await page.getByRole('region', { name: 'Changes to version 1' }).getByText(`+   svc.log('second'`).waitFor();
      await button(page, 'Deploy').click();
      await page.getByText('Source of version 2').waitFor();
      await button(page, 'Compare with version 1').click();
      await page.getByText(`+   svc.log('second'`).waitFor();
      await button(page, 'Roll back to version 1').click();
      await page.getByText('Source of version 1').waitFor();
      expect(await active()).to.equal(1);
    }));

  it('are tried with a connection that the page finds, and show what they called and logged', () =>
    visit(async (page) => {
      await page.getByLabel('Connection ID').fill(connectionId.slice(0, 8));
      const offered = page.locator('datalist option', { hasText: connectionId });
      await until('it is offered', async () => (await offered.count()) === 1);
      await page.getByLabel('Connection ID').fill(connectionId);
      await button(page, 'Run version 1').click();
      await page.getByRole('status').filter({ hasText: 'Done' }).waitFor();
      expect(await page.getByRole('region', { name: 'What it called' }).textContent()).to.contain('GET /me  200');
      expect(await page.getByRole('region', { name: 'What it logged' }).textContent()).to.contain('first {"name":"Ada"}');
    }));

  it('say why their runs failed, and lead to them and to what they called, in the logs', () =>
    visit(async (page) => {
      const runs = page.getByRole('region', { name: 'Last runs' });
      await runs.getByText('It took too long.').waitFor();
      await runs.getByText('Log, 1 line').click();
      await runs.getByText('1 ms  info  hello').waitFor();
      await page.getByRole('link', { name: 'Their calls in the logs' }).click();
      await page.getByText(`By: script fake/${EVENT}`).waitFor();
      await page.locator('tbody tr').filter({ hasText: 'GET /me' }).first().waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Runs in the logs' }).click();
      await page.getByText(`Operation: ${EVENT}`).waitFor();
      await page.locator('tbody tr').filter({ hasText: EVENT }).first().waitFor();
    }));

  it('begin with one that is there to be changed, for an event that has none', () =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts' }, async (page) => {
      await page.getByRole('link', { name: 'New script' }).click();
      await page.getByText('This integration has a script for this event already').waitFor();
      await page.getByLabel('Event').selectOption('on-webhook');
      await button(page, 'Deploy').click();
      await expectHeading(page, 'on-webhook');
      await page.getByText('Source of version 1').waitFor();
    }));

  it('show viewers neither sources nor what changes them', () =>
    visitAs({ chromium, app: service.app }, { role: 'viewer', path: `e/dev/scripts/fake/${EVENT}` }, async (page) => {
      await page.getByRole('region', { name: 'Versions' }).getByText('Active').waitFor();
      await page.getByRole('region', { name: 'Last runs' }).waitFor();
      for (const name of [/^Compare/, /^Roll back/, /^Run version/, 'New version'])
        expect(await page.getByRole('button', { name }).count(), String(name)).to.equal(0);
    }));
});
