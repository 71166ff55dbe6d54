import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { withChromium } from '../support/browser.ts';
import { violationsOf } from '../support/browser-axe.ts';
import { inEachView } from '../support/browser-screens/views.ts';
import { Demo } from '../support/demo.ts';
import { temporaryFolder } from '../support/folders.ts';
import { use } from '../support/use.ts';

const STEPS = [
  'The application creates a connect session for its user',
  'The user signs in at the sandbox',
  'The application finds the connection by its tag',
  'A signed webhook has told it, too',
  'It reads a note through the proxy, and holds no token',
  'The access token is renewed before it expires',
  'It reads a note again',
];

/** Matches the address that a running demo prints. */
const ADDRESS = /example application:\n\n {2}(http\S+)\n/;

describe('the demo', function () {
  this.timeout(120_000);

  it('goes from nothing to a proxied call with a refreshed token by itself', async () => {
    await using demo = new Demo({ args: ['--headless'] });
    expect(await demo.exitCode, demo.output).to.equal(0);
    for (const step of STEPS) expect(demo.output).to.contain(`ok      ${step}`);
    expect(demo.output).to.not.contain('FAILED');
  });
});

describe('a demo that runs', function () {
  this.timeout(120_000);
  const folder = use(this, temporaryFolder);
  const demo = use(this, () => new Demo({ env: { TMPDIR: folder.path } }));

  it('keeps no unsigned webhook, and reaches no connection of other users', async () => {
    const [, url = ''] = await demo.printed(ADDRESS);
    expect((await fetch(`${url}/webhooks`, { method: 'POST', body: '{"type":"auth"}' })).status).to.equal(401);
    expect((await fetch(`${url}/api/notes?connection=of-somebody-else`)).status).to.equal(404);
    expect((await fetch(`${url}/api/connection?connection=of-somebody-else`, { method: 'DELETE' })).status).to.equal(404);
    const account = JSON.parse(await (await fetch(`${url}/api/account`)).text());
    expect(account.connections).to.deep.equal([]);
    expect(account.webhooks).to.have.length(1);
    expect(account.webhooks[0]).to.include({ isSigned: false }).and.to.have.all.keys('at', 'isSigned');
  });

  it('is a page on which a person connects, sees the webhook, and reads notes', async function () {
    await withChromium(this, async (browser) => {
      const [, url = ''] = await demo.printed(ADDRESS);
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByRole('button', { name: 'Connect an account' }).click();
      const opened = page.waitForEvent('popup');
      await page
        .frameLocator('iframe')
        .getByRole('button', { name: /^Continue/ })
        .click();
      await (await opened).getByRole('button', { name: 'Allow' }).click();
      await page.frameLocator('iframe').getByRole('button', { name: 'Back to Northwind' }).click();
      await page.getByText('Ada Lovelace, ada@sandbox.example').waitFor();
      await page.getByText('The signature is valid.').waitFor();
      await page.getByText('"operation": "creation"').waitFor();
      await page.getByText('Buy milk').first().waitFor();
      await inEachView(page, async () => {
        expect(await violationsOf(page)).to.deep.equal([]);
      });
      await page.getByRole('button', { name: 'Read notes' }).click();
      await page.getByText(/^GET \/proxy\/notes {2}200 in \d+ ms$/).waitFor();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('"operation": "deletion"').waitFor();
      await page.getByText('None yet. Connect one, and its notes appear.').waitFor();
    });
  });

  it('leaves no files behind when it is stopped', async () => {
    await demo.printed(ADDRESS);
    expect(await readdir(folder.path)).to.have.length(1);
    await demo[Symbol.asyncDispose]();
    // The example application shares the demo's output, so the exit code is known only once both have ended.
    expect(await demo.exitCode).to.equal(0);
    expect(await readdir(folder.path)).to.deep.equal([]);
  });
});
