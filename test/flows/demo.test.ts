import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestOptions, request } from 'node:http';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { awaited } from '../../examples/demo/awaited.ts';
import { startAtPort } from '../../examples/demo/ports.ts';
import { connectHeadlessly } from '../../examples/demo/steps.ts';
import { withChromium } from '../support/browser.ts';
import { violationsOf } from '../support/browser-axe.ts';
import { inEachView } from '../support/browser-screens/views.ts';
import { Demo } from '../support/demo.ts';
import { temporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { skipBecause } from '../support/skip.ts';
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

/** Match addresses that a running demo prints. */
const GUIDE = /copied or run:\n\n {2}(http\S+)\n/;
const ADDRESS = /example application:\n\n {2}(http\S+)\n/;

describe('the demo', function () {
  this.timeout(120_000);

  it('goes from nothing to a proxied call with a refreshed token by itself', async () => {
    await using demo = new Demo({ args: ['--headless'] });
    expect(await demo.exitCode, demo.output).to.equal(0);
    for (const step of STEPS) expect(demo.output).to.contain(`ok      ${step}`);
    expect(demo.output).to.not.contain('FAILED');
  });

  it('does so beside another one that starts at the same time, each with a service of its own', async () => {
    await using one = new Demo({ args: ['--headless'] });
    await using other = new Demo({ args: ['--headless'] });
    for (const demo of [one, other]) {
      expect(await demo.exitCode, demo.output).to.equal(0);
      for (const step of STEPS) expect(demo.output).to.contain(`ok      ${step}`);
    }
    expect(one.output + other.output).to.match(/Port \d+ is taken; using \d+ instead\./);
  });

  it('starts at another port if one that was free is taken in the meantime', async () => {
    const ports: number[] = [];
    const taken = createServer();
    const port = await startAtPort(await freePort(), async (free) => {
      ports.push(free);
      if (ports.length === 1) await once(taken.listen(free, '127.0.0.1'), 'listening');
      const own = createServer().listen(free, '127.0.0.1');
      await once(own, 'listening');
      own.close();
      return free;
    });
    taken.close();
    expect(ports).to.have.length(2);
    expect(port).to.equal(ports[1]).and.not.equal(ports[0]);
  });

  it('leaves a port alone at which browsers may find a stranger', async function () {
    const wanted = await freePort();
    const stranger = createServer().listen(wanted, '::1');
    const isThere = await once(stranger, 'listening').catch(() => undefined);
    if (isThere === undefined) skipBecause(this, 'this machine has no IPv6');
    expect(await startAtPort(wanted, async (port) => port)).to.not.equal(wanted);
    stranger.close();
  });

  it('does not repeat a start that fails for another reason', async () => {
    const starts: number[] = [];
    const failed = startAtPort(await freePort(), async (free) => {
      starts.push(free);
      throw new Error('no space left');
    });
    expect(String(await failed.catch((error: unknown) => error))).to.equal('Error: no space left');
    expect(starts).to.have.length(1);
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

  it('has a page on which each step of the quick start runs, and can be copied as a command that works', async function () {
    await withChromium(this, async (browser) => {
      const [, url = ''] = await demo.printed(GUIDE);
      await browser.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
      const page = await browser.newPage();
      await page.goto(url);
      const step = (name: string) => page.getByRole('region', { name });
      const run = async (name: string) => {
        await step(name).getByRole('button', { name: 'Run' }).click();
        await step(name)
          .getByText(/^20[01] in \d+ ms$/)
          .waitFor();
        await step(name).getByRole('button', { name: 'Copy' }).click();
        await page.getByText('Copied.').waitFor();
        return JSON.parse(await shell(await page.evaluate<string>('navigator.clipboard.readText()')));
      };
      const { data } = await run('Create a connect link');
      await connectHeadlessly({ serviceUrl: new URL(data.connect_link).origin, token: data.token });
      await page.reload();
      expect((await run('Find the connection by its tag')).connections).to.have.length(1);
      expect((await run('Read its current credentials')).credentials.access_token).to.be.a('string');
      expect((await run('Call the external API through the proxy')).token.number).to.be.above(0);
      await inEachView(page, async () => {
        expect(await violationsOf(page)).to.deep.equal([]);
      });

      const [, key = ''] = await demo.printed(/SVC_KEY=(\S+)\n/);
      expect(await page.content()).to.not.contain(key);
      const email = (await page.locator('b', { hasText: '@' }).textContent()) ?? '';
      const password = (await shell((await page.locator('#password').textContent()) ?? '')).trim();
      await page.goto((await page.getByRole('link', { name: 'Open the dashboard' }).getAttribute('href')) ?? '');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
    });
  });

  it('answers neither another host name nor another site', async () => {
    const [, url = ''] = await demo.printed(GUIDE);
    const { port } = new URL(url);
    const path = (name: string, headers: Readonly<Record<string, string>>) => ({ host: '127.0.0.1', port, path: name, headers });
    const rebound = { host: `evil.example:${port}` };
    expect(await statusOf(path('/guide', rebound))).to.equal(403);
    expect(await statusOf({ ...path('/run/credentials', { origin: 'http://evil.example' }), method: 'POST' })).to.equal(403);
    expect(await statusOf({ ...path('/run/credentials', {}), method: 'POST' })).to.equal(403);
    expect(await statusOf(path('/guide', { host: `localhost:${port}` }))).to.equal(200);
  });

  it('leaves no files behind when it is stopped', async () => {
    await demo.printed(ADDRESS);
    expect(await readdir(folder.path)).to.have.length(1);
    await demo[Symbol.asyncDispose]();
    expect(await demo.exitCode).to.equal(0);
    expect(await readdir(folder.path)).to.deep.equal([]);
  });
});

describe('waiting for a part of the start', () => {
  it('says again and again what it waits for, then returns the result', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const parts = ['the database', 'the service'];
    const lines: string[] = [];
    const print = (line: string) => {
      lines.push(line);
      if (lines.length === 2) resolve('done');
    };
    expect(await awaited(() => parts.shift() ?? '', promise, { everyMs: 1, print })).to.equal('done');
    expect(lines).to.deep.equal(['Waiting for the database … (0 s)', 'Waiting for the service … (0 s)']);
  });

  it('gives up after a limit, and says what it waited for', async () => {
    const { promise } = Promise.withResolvers<string>();
    const error = await awaited(() => 'the database', promise, { limitMs: 1 }).catch((reason: unknown) => reason);
    expect(String(error)).to.equal('Error: gave up after 0 s of waiting for the database');
  });
});

async function shell(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env: { PATH: process.env['PATH'] ?? '' } });
  return stdout;
}

/** Sends a request with any `Host`, which `fetch` would not. */
async function statusOf(options: RequestOptions): Promise<number | undefined> {
  const sent = request(options);
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}
