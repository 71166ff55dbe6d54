import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { Keyboard } from '../support/browser-keyboard.ts';
import { entry, QUIET } from '../support/dashboard/log-screens.ts';
import { Refusal, SIGNED_IN, type StubbedApi, stubApi } from '../support/dashboard/stub-api.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const ENTRIES = Array.from({ length: 120 }, (_, index) => entry(index, { summary: `Operation ${index + 1}` }));
const SIZE = 50;
/** A viewport too narrow for the panel beside the list, so a click on a row of the log opens the page of that operation. */
const VIEW = { width: 1_000, height: 720 };
const LATER = '2030-01-01T00:00:00.000Z';

/** A stub that returns lists in pages as the service does; its cursor is the index of the next row. */
const PAGED: StubbedApi = {
  ...QUIET,
  'e/dev/logs': ({ query }) => {
    const from = Number(query.get('cursor') ?? 0);
    const rows = query.has('type') ? ENTRIES.slice(0, 3) : ENTRIES;
    const next = from + SIZE;
    return { data: rows.slice(from, next), next_cursor: next < rows.length ? String(next) : null };
  },
  ...Object.fromEntries(ENTRIES.map((one) => [`e/dev/logs/${one.id}`, { data: { ...one, messages: [] } }])),
};

describe('lists of the dashboard', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);

  function visit(path: string, api: StubbedApi, body: (page: Page, keyboard: Keyboard) => Promise<void>): Promise<void> {
    return chromium.profile({ origins: [app.url], locale: 'en-US', viewport: VIEW }, async (profile, guard) => {
      guard.expect(/status of 400/);
      await stubApi(profile, { ...SIGNED_IN, ...api });
      const page = await profile.newPage();
      await page.goto(`${app.url}/${path}`);
      await page.getByText('Operation 1', { exact: true }).waitFor();
      await body(page, new Keyboard(page));
    });
  }

  const rowsOf = (page: Page) => page.locator(':not(.sr) > table tbody tr').count();
  const focused = async (keyboard: Keyboard, page: Page) => (await keyboard.focusIn(page)).name;

  it('load more by keyboard, with the focus on the first new row', () =>
    visit('e/dev/logs', PAGED, async (page, keyboard) => {
      await page.getByRole('button', { name: 'Load more' }).focus();
      await keyboard.press('Enter');
      await until('there are more', async () => (await rowsOf(page)) === 2 * SIZE);
      await until('the focus is on row 51', async () => (await focused(keyboard, page)).startsWith('Operation 51'));
      await keyboard.tabTo(page, 'Operation 53');
      await keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Operation 53' }).waitFor();
      await until('the heading has the focus', async () => (await focused(keyboard, page)) === 'Operation 53');
    }));

  it('keep their scroll position, loaded rows and filters when somebody comes back', () =>
    visit('e/dev/logs?utc=1', PAGED, async (page) => {
      await page.getByRole('button', { name: 'Load more' }).click();
      await until('there are more', async () => (await rowsOf(page)) === 2 * SIZE);
      const link = page.getByRole('link', { name: 'Operation 77' });
      await link.scrollIntoViewIfNeeded();
      const top = await page.evaluate<number>('scrollY');
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'Operation 77' }).waitFor();
      expect(await page.evaluate('scrollY')).to.equal(0);
      await page.goBack();
      await until('the list is where it was', async () => (await page.evaluate('scrollY')) === top);
      expect(await rowsOf(page)).to.equal(2 * SIZE);
      expect(page.url()).to.match(/\?utc=1$/);
    }));

  it('are filtered by the query of the address, which survives a reload; "/" moves the focus to the search', () =>
    visit('e/dev/logs', PAGED, async (page, keyboard) => {
      await page.getByLabel('Type').selectOption('refresh');
      await until('they are filtered', async () => (await rowsOf(page)) === 3);
      expect(page.url()).to.match(/\?type=refresh$/);
      await page.reload();
      await page.getByText('Type: Refresh').waitFor();
      await until('they are filtered again', async () => (await rowsOf(page)) === 3);
      await keyboard.press('/');
      await keyboard.type('a/b');
      await until('the search is in the address', async () => page.url().includes('search=a%2Fb'));
    }));

  it('keep every character that is typed into the search, including spaces between words', () =>
    visit('e/dev/logs', PAGED, async (page) => {
      const search = page.getByRole('searchbox');
      await search.pressSequentially('kelvin ');
      await until('the search is in the address', async () => page.url().includes('search=kelvin'));
      await search.pressSequentially('smith');
      await until('all of it is in the address', async () => page.url().includes('search=kelvin+smith'));
      expect(await search.inputValue()).to.equal('kelvin smith');
      await page.goto(`${app.url}/e/dev/logs?search=ada`);
      await until('what the address says is there', async () => (await search.inputValue()) === 'ada');
    }));

  it('say below the loaded rows why loading more failed, and load them on retry', () => {
    let isBroken = true;
    const api: StubbedApi = {
      ...PAGED,
      'e/dev/logs': (request) => {
        const paged = PAGED['e/dev/logs'] as (one: typeof request) => object;
        return request.query.has('cursor') && isBroken ? new Refusal(400, 'invalid_query_params') : paged(request);
      },
    };
    return visit('e/dev/logs', api, async (page, keyboard) => {
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.locator('.card').getByText('This could not be loaded').waitFor();
      isBroken = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await until('there are more', async () => (await rowsOf(page)) === 2 * SIZE);
      await until('the focus is on row 51', async () => (await focused(keyboard, page)).startsWith('Operation 51'));
      expect(await page.getByText('This could not be loaded').count()).to.equal(0);
    });
  });

  it('miss no event while another page or another filter is shown', () => {
    let streams = 0;
    const queue = [entry(300, { summary: 'First of all', created_at: LATER })];
    const stream: StubbedApi[string] = () => {
      streams += 1;
      const id = String(1_000 + streams);
      const events = queue.splice(0).map((one) => `id: ${id}\ndata: ${JSON.stringify(one)}\n\n`);
      return { stream: `id: ${id}\n\n${events.join('')}` };
    };
    return visit('e/dev/logs', { ...PAGED, 'e/dev/logs/stream': stream }, async (page) => {
      await page.getByRole('link', { name: 'First of all' }).waitFor();
      await page.getByRole('link', { name: /^Operation 2\b/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Operation 2' }).waitFor();
      queue.push(entry(301, { summary: 'Meanwhile', created_at: LATER }));
      // The pointer leaves the list, because new rows are held back while it is over the list.
      await page.mouse.move(0, 0);
      await page.goBack();
      await page.getByRole('link', { name: 'Meanwhile' }).waitFor();
      expect(await rowsOf(page)).to.equal(SIZE + 2);
    });
  });

  it('show new rows at once at the top of the list, and count them while somebody reads further down', () => {
    const queue = [entry(200, { summary: 'Just now', created_at: LATER })];
    // Each stream ends after the queued events; when the page reconnects, the next stream sends those queued since.
    const stream: StubbedApi[string] = () => ({
      stream: queue
        .splice(0)
        .map((one) => `id: ${one.id}\ndata: ${JSON.stringify(one)}\n\n`)
        .join(''),
    });
    return visit('e/dev/logs', { ...PAGED, 'e/dev/logs/stream': stream }, async (page) => {
      const first = page.locator(':not(.sr) > table tbody tr').first();
      await until('it is on top', async () => String(await first.textContent()).startsWith('Just now'));
      await page.evaluate('scrollTo(0, 900)');
      queue.push(entry(201, { summary: 'Later', created_at: LATER }), entry(202, { summary: 'Last of all', created_at: LATER }));
      await page.getByRole('button', { name: '2 new: show them' }).waitFor({ timeout: 40_000 });
      expect(await page.evaluate('scrollY')).to.equal(900);
      await page.getByRole('button', { name: '2 new: show them' }).click();
      await until('they are on top', async () => String(await first.textContent()).startsWith('Last of all'));
    });
  });
});
