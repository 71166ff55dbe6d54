import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withChromium } from '../support/browser.ts';
import { Demo } from '../support/demo.ts';

const STEPS = [
  'The application creates a connect session for its user',
  'The user signs in at the sandbox',
  'The application finds the connection by its tag',
  'A signed webhook has told it, too',
  'It reads a note through the proxy, and holds no token',
  'The access token is renewed before it expires',
  'It reads a note again',
];

/** Of one that runs. */
const ADDRESS = /example application:\n\n {2}(http\S+)\n/;

describe('the demo', function () {
  this.timeout(120_000);

  it('goes from nothing to a proxied call with a renewed token by itself', async () => {
    await using demo = new Demo({ args: ['--headless'] });
    expect(await demo.exitCode, demo.output).to.equal(0);
    for (const step of STEPS) expect(demo.output).to.contain(`ok      ${step}`);
    expect(demo.output).to.not.contain('FAILED');
  });

  it('is a page on which a person connects, sees the webhook, and reads notes', async function () {
    await withChromium(this, async (browser) => {
      await using demo = new Demo();
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
      await page.frameLocator('iframe').getByRole('button', { name: 'Back to Example application' }).click();
      await page.getByText('auth: creation').waitFor();
      await page.getByRole('button', { name: 'Read notes' }).click();
      await page.getByText('Buy milk').waitFor();
    });
  });

  it('believes no webhook that is not signed, and shows no connection of others', async () => {
    await using demo = new Demo();
    const [, url = ''] = await demo.printed(ADDRESS);
    expect((await fetch(`${url}/webhooks`, { method: 'POST', body: '{"type":"auth"}' })).status).to.equal(401);
    expect((await fetch(`${url}/api/notes?connection=of-somebody-else`)).status).to.equal(404);
    expect(await (await fetch(`${url}/api/account`)).json()).to.deep.equal({ connections: [], webhooks: [] });
  });

  it('leaves nothing behind when it is told to end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-demo-test-'));
    // Started by root, the embedded database runs as another user, who has to be able to walk through.
    await chmod(folder, 0o711);
    await using demo = new Demo({ env: { TMPDIR: folder } });
    await demo.printed(ADDRESS);
    expect(await readdir(folder)).to.have.length(1);
    await demo[Symbol.asyncDispose]();
    // Its output is at an end, too, which the application shares.
    expect(await demo.exitCode).to.equal(0);
    expect(await readdir(folder)).to.deep.equal([]);
    await rm(folder, { recursive: true });
  });
});
