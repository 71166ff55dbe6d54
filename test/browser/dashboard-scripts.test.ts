import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { insertRun } from '../../core/scripts/run-store.ts';
import { useChromium } from '../support/browser.ts';
import { violationsOf } from '../support/browser-axe.ts';
import { inEachView } from '../support/browser-screens/views.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { writeSource } from '../support/dashboard/write-source.ts';
import { finishedRun } from '../support/stored-script.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startScriptedService } from '../support/user-scripts.ts';

const EVENT = 'post-connection-creation';
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const sourceOf = (word: string) => `export default async (svc) => {
  const { data } = await svc.get({ endpoint: '/me' });
  svc.log('${word}', { name: data.name });
};
`;

describe('scripts in the dashboard', function () {
  const chromium = useChromium(this);
  const service = use(this, () => startScriptedService({ env: { SVC_SCRIPT_TIMEOUT_MS: '30000' } }));
  let connectionId = '';

  before(async () => {
    await service.deploy(EVENT, sourceOf('first'));
    await service.deploy('validate-connection', `export default async (svc) => svc.log('all is well');`);
    ({ connectionId } = await service.connect());
    const path = `/connections/${connectionId}?provider_config_key=fake`;
    await service.app.api.patch(path, { tags: { end_user_display_name: 'Kelvin' } });
    const { db } = service.app.services;
    const { id: scriptId } = await db('scripts').where({ event: EVENT }).first('id');
    const log = [{ at: 1, level: 'info', message: 'hello' }] as const;
    await insertRun(db, finishedRun({ scriptId, status: 'killed', cause: 'timeout', log }));
    for (let hours = 2; hours <= 101; hours += 1) await insertRun(db, finishedRun({ scriptId, startedAt: ago(hours) }));
    await insertRun(db, finishedRun({ scriptId, connectionId, startedAt: ago(102) }));
  });

  const visit = (body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts' }, async (page, { guard }) => {
      guard.expect(/status of 400/);
      await page.getByRole('link', { name: EVENT }).click();
      await expectHeading(page, EVENT);
      await body(page);
    });
  const active = async () => (await service.app.api.get('/integrations/fake/scripts')).body.data[0].version;

  it('are deployed, compared and rolled back; a draft that does not compile is kept', () =>
    visit(async (page) => {
      await button(page, 'New version').click();
      const source = page.getByRole('textbox', { name: 'Source' });
      await writeSource(page, 'export default async (svc) => {');
      await button(page, 'Deploy').click();
      await page.getByText('line 1, column').waitFor();
      expect(await source.textContent()).to.equal('export default async (svc) => {');
      expect(await source.getAttribute('aria-invalid')).to.equal('true');
      expect(await source.getAttribute('aria-description')).to.match(/^Line 1, column/);
      await writeSource(page, sourceOf('second'));
      await page.getByRole('region', { name: 'Changes to version 1' }).getByText(`+   svc.log('second'`).waitFor();
      await button(page, 'Deploy').click();
      await page.getByText('Source of version 2').waitFor();
      await button(page, 'Compare with version 1').click();
      await page.getByText(`+   svc.log('second'`).waitFor();
      await button(page, 'Roll back to version 1').click();
      await page.getByText('Source of version 1').waitFor();
      expect(await active()).to.equal(1);
    }));

  it('are tried with a connection that the page finds, and show their calls and log lines', () =>
    visit(async (page) => {
      await page.getByLabel('Connection ID').fill(connectionId.slice(0, 8));
      const offered = page.locator(`datalist option[value="${connectionId}"]`, { hasText: 'Kelvin' });
      await until('it is offered', async () => (await offered.count()) === 1);
      await page.getByLabel('Connection ID').fill(connectionId);
      await button(page, 'Run version 1').click();
      await page.getByRole('status').filter({ hasText: 'Done' }).waitFor();
      expect(await page.getByRole('region', { name: 'What it called' }).textContent()).to.contain('GET /me  200');
      expect(await page.getByRole('region', { name: 'What it logged' }).textContent()).to.contain('first {"name":"Ada"}');
    }));

  it('say why their runs failed, and lead to the runs and their calls in the logs', () =>
    visit(async (page) => {
      const runs = page.getByRole('region', { name: 'Last runs' });
      await runs.getByText('It took too long.').waitFor();
      await runs.getByText('Log, 1 line').click();
      await runs.getByText('1 ms  info  hello').waitFor();
      await page.getByRole('link', { name: 'Their calls in the logs' }).click();
      await page.getByText(`Actor: script fake/${EVENT}`).waitFor();
      await page.locator('tbody tr').filter({ hasText: 'GET /me' }).first().waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Runs in the logs' }).click();
      await page.getByText(`Operation: ${EVENT}`).waitFor();
      await page.locator('tbody tr').filter({ hasText: EVENT }).first().waitFor();
    }));

  it('show all runs for a connection that is found by name, however old', () =>
    visit(async (page) => {
      const runs = page.getByRole('region', { name: 'Last runs' });
      await runs.getByRole('button', { name: 'Show the latest 100', exact: true }).click();
      expect(await runs.getByText('Kelvin').count()).to.equal(0);
      await runs.getByRole('button', { name: 'Connection', exact: true }).click();
      await page.getByLabel('Connection: search').fill('kel');
      await page.getByRole('dialog').getByRole('button', { name: 'Kelvin' }).click();
      await runs.getByRole('button', { name: 'Connection: Kelvin', exact: true }).waitFor();
      await until('it is its run alone', async () => (await runs.getByRole('listitem').count()) === 1);
      expect(await runs.getByRole('listitem').textContent()).to.contain('Kelvin');
      expect(new URL(page.url()).search).to.equal(`?connection_id=${connectionId}`);

      await runs.getByRole('button', { name: 'Connection: Kelvin', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Any' }).click();
      await runs.getByRole('button', { name: 'Only runs for c', exact: true }).first().click();
      await runs.getByRole('button', { name: 'Connection: c', exact: true }).waitFor();
      expect(new URL(page.url()).search).to.equal('?connection_id=c');
    }));

  it('lead from each run to its entry in the log, which has their lines as they are', () =>
    visitAs({ chromium, app: service.app }, { role: 'viewer', path: 'e/dev/scripts/fake/validate-connection' }, async (page) => {
      await page.getByRole('region', { name: 'Last runs' }).getByRole('link', { name: 'Log entry' }).first().click();
      await page.waitForURL(/\/e\/dev\/logs\/[0-9a-f-]{36}$/);
      await page.getByText('The script has ended.', { exact: true }).waitFor();
      await page.getByText('all is well', { exact: true }).waitFor();
    }));

  it('lead from the number of failures to the failed runs in the log', () =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts' }, async (page) => {
      await page.getByRole('link', { name: '1 failed' }).click();
      await page.getByText(`Operation: ${EVENT}`).waitFor();
      const { since, ...filter } = Object.fromEntries(new URL(page.url()).searchParams);
      expect(filter).to.deep.equal({ type: 'script', operation: EVENT, integration: 'fake', status: 'failure' });
      expect(Date.now() - Date.parse(since ?? '')).to.be.within(86_400_000, 86_460_000);
    }));

  it('begin with a template for an event that has no script', () =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts' }, async (page) => {
      await page.getByRole('link', { name: 'New script' }).click();
      await page.getByText('This integration has a script for this event already').waitFor();
      await page.getByLabel('Event').selectOption('on-webhook');
      const reference = page.getByRole('region', { name: 'Reference' });
      await reference.getByText('verified: boolean').waitFor();
      await reference.getByText('getVariable(name: string): Promise<string | null>').waitFor();
      await reference.getByRole('link', { name: 'Guide to scripts' }).waitFor();
      await button(page, 'Deploy').click();
      await expectHeading(page, 'on-webhook');
      await page.getByText('Source of version 1').waitFor();
    }));

  const visitNew = (body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts/new?event=pre-connection-deletion' }, body);

  it('are written with the keyboard, which completes the members of svc and what they take', () =>
    visitNew(async (page) => {
      const source = page.getByRole('textbox', { name: 'Source' });
      await page.locator('label', { hasText: 'Source' }).click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('export default async (svc) => {\nawait svc.upd');
      const list = page.getByRole('listbox', { name: 'Completions' });
      const chosen = list.getByRole('option', { selected: true });
      expect(await chosen.textContent()).to.equal('updateMetadata(metadata: JsonObject): Promise<JsonObject>');
      await page.getByText('Replaces the named fields of the connection').last().waitFor();
      expect(await source.getAttribute('aria-activedescendant')).to.equal(await chosen.getAttribute('id'));
      await inEachView(page, async ({ scheme, width }) => {
        expect(await violationsOf(page), `${scheme}, ${width}`).to.deep.equal([]);
      });
      await page.keyboard.press('Enter');
      await page.keyboard.type('({ left: true });\nawait svc.get({ ');
      await page.keyboard.press('Control+Space');
      await list.getByRole('option', { name: /^params\?/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await page.keyboard.type("endpoint: '/me' });\n};");
      await button(page, 'Deploy').press('Enter');
      await expectHeading(page, 'pre-connection-deletion');
      await page.getByText('await svc.updateMetadata({ left: true });').waitFor();
      await service.remove('pre-connection-deletion');
    }));

  it('are left by Tab in both directions, whether or not completions are offered', () =>
    visitNew(async (page) => {
      const source = page.getByRole('textbox', { name: 'Source' });
      const isFocused = () => source.evaluate((element) => element.matches(':focus'));
      await source.focus();
      const text = await source.textContent();
      await page.keyboard.press('Tab');
      expect(await page.getByLabel('Language').evaluate((element) => element.matches(':focus'))).to.equal(true);
      await page.keyboard.press('Shift+Tab');
      expect(await isFocused()).to.equal(true);
      await page.keyboard.press('Shift+Tab');
      expect(await isFocused()).to.equal(false);
      expect(await source.textContent()).to.equal(text);
      await source.focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('svc.');
      await page.keyboard.press('Control+Space');
      await page.keyboard.press('Tab');
      expect(await page.getByLabel('Language').evaluate((element) => element.matches(':focus'))).to.equal(true);
    }));

  it('are written in a plain field if the editor cannot be loaded', () =>
    visitAs({ chromium, app: service.app }, { path: 'e/dev/scripts' }, async (page, { guard }) => {
      guard.expect(/editor/, /ERR_FAILED/);
      await page.route(/assets\/editor-/, (route) => route.abort());
      await page.goto(`${service.app.url}/e/dev/scripts/new?event=pre-connection-deletion`);
      const source = page.getByRole('textbox', { name: 'Source' });
      expect(await source.inputValue()).to.contain('deleting connection');
      await button(page, 'Deploy').click();
      await expectHeading(page, 'pre-connection-deletion');
      await service.remove('pre-connection-deletion');
    }));

  it('show viewers neither sources nor buttons that change them', () =>
    visitAs({ chromium, app: service.app }, { role: 'viewer', path: `e/dev/scripts/fake/${EVENT}` }, async (page) => {
      await page.getByRole('region', { name: 'Versions' }).getByText('Active').waitFor();
      await page.getByRole('region', { name: 'Last runs' }).waitFor();
      for (const name of [/^Compare/, /^Roll back/, /^Run version/, 'New version'])
        expect(await page.getByRole('button', { name }).count(), String(name)).to.equal(0);
    }));
});
