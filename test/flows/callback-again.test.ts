import { expect } from 'chai';
import { connectionsMade, enter, finish, type Returning, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { startIntegratedApp } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const MINUTE_MS = 60_000;
const CONNECTED = /^Connected Your .+ account is connected\. You can close this tab\./;
/** Headers of prefetches, as Chromium sends them (Fetch standard, "`Sec-Purpose`") and as its older versions did. */
const PREFETCHES = [
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { 'sec-purpose': 'prefetch;anonymous-client-ip' },
  { purpose: 'prefetch' },
] as const;

describe('a callback that is visited again', function () {
  const app = use(this, startIntegratedApp);
  const exchanges = () => app.provider.ledger.of('token').length;

  async function reloaded(back: Returning, walker = back.walker) {
    const calls = exchanges();
    const page = await finish(back, {}, walker);
    expect(exchanges(), 'requests to the token endpoint').to.equal(calls);
    return page;
  }

  it('shows its success again, as often as it is reloaded, and connects nothing more', async () => {
    const made = await connectionsMade(app, async () => {
      const back = await returnFromProvider(app);
      const page = await finish(back);
      expect(page.status).to.equal(200);
      for (let visit = 0; visit < 3; visit += 1) {
        const again = await reloaded(back);
        expect([again.status, again.text]).to.deep.equal([200, page.text]);
      }
    });
    expect(made).to.equal(1);
  });

  it('shows the same failure again', async () => {
    const back = await returnFromProvider(app);
    app.provider.next('token', { response: { status: 400, body: '{"error":"invalid_grant"}' } });
    const page = await finish(back);
    const again = await reloaded(back);
    expect([page.status, again.status, again.text]).to.deep.equal([400, 400, page.text]);
    expect(wordsOf(again)).to.match(/accepted you but refused to finish/);
  });

  it('shows its result to no other browser', async () => {
    const back = await returnFromProvider(app);
    await finish(back);
    for (const stranger of [new WebWalker(), (await returnFromProvider(app)).walker]) {
      const page = await reloaded(back, stranger);
      expect([page.status, wordsOf(page)]).to.deep.equal([400, wordsOf(await finish(back, { state: undefined }))]);
    }
  });

  it('shows its result during the 60 minutes of the state, and afterwards that the attempt is over', async () => {
    const succeeded = await returnFromProvider(app);
    await finish(succeeded);
    const failed = await returnFromProvider(app);
    app.provider.next('token', { response: { status: 400, body: '{"error":"invalid_grant"}' } });
    await finish(failed);
    await app.clock.advance(59 * MINUTE_MS);
    expect((await reloaded(succeeded)).status).to.equal(200);
    await app.clock.advance(2 * MINUTE_MS);
    const over = await reloaded(succeeded);
    expect(`${over.status} ${wordsOf(over)}`).to.match(/^400 This attempt is over .* it has succeeded already/);
    expect(wordsOf(await reloaded(failed))).to.match(/^This attempt is over .* start again\.$/);
  });

  for (const headers of PREFETCHES) {
    it(`by a prefetch (${JSON.stringify(headers)}) uses up nothing, and neither does one of the connect address`, async () => {
      const begin = connectUrl(app, { token: await createSession(app) });
      const flows = () => app.database.db('authorization_flows').count();
      const [before, calls] = [await flows(), exchanges()];
      const walker = new WebWalker();
      for (const address of [begin, `${app.url}/oauth/connect/fake`, `${app.url}/app-auth/connect?state=x`]) {
        const page = await walker.visit(address, { headers });
        expect([page.status, page.text, page.headers.get('cache-control'), page.headers.get('set-cookie')]).to.deep.equal([
          204,
          '',
          'no-store',
          null,
        ]);
      }
      expect(await flows()).to.deep.equal(before);
      const back = await returnFromProvider(app);
      expect((await back.walker.visit(back.callback.href, { headers })).status).to.equal(204);
      expect(exchanges()).to.equal(calls);
      expect((await finish(back)).status).to.equal(200);
    });
  }
});

describe('another tab of a session that was used', function () {
  const app = use(this, startIntegratedApp);

  it('says that the account is connected, in any browser', async () => {
    const token = await createSession(app);
    const back = await returnFromProvider(app, { token });
    await finish(back);
    for (const walker of [back.walker, new WebWalker()]) {
      const page = await enter(app, { token, walker });
      expect(page.status).to.equal(200);
      expect(wordsOf(page)).to.match(CONNECTED);
      expect(page.headers.get('cache-control')).to.equal('no-store');
    }
  });

  it('says so after the session has expired, too', async () => {
    const token = await createSession(app);
    await finish(await returnFromProvider(app, { token }));
    await app.clock.advance(31 * MINUTE_MS);
    expect(wordsOf(await enter(app, { token }))).to.match(CONNECTED);
  });

  it('does not say so for a session that was deleted, has expired without use, or failed', async () => {
    const deleted = await createSession(app);
    await fetch(`${app.url}/connect/session`, { method: 'DELETE', headers: { authorization: `Bearer ${deleted}` } });
    const expired = await createSession(app);
    await app.clock.advance(31 * MINUTE_MS);
    for (const token of [deleted, expired]) {
      const page = await enter(app, { token });
      expect(`${page.status} ${wordsOf(page)}`).to.match(/^401 Not connected This window has expired\./);
    }
  });
});
