import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, enter, finish, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { connectUrl, createIntegration, createSession } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const ADA = { end_user_display_name: 'Ada', end_user_email: 'ada@acme.example' };

describe('several requests of one browser', function () {
  const provider = use(this, () => startFakeProvider({ pkce: 'required' }));
  const database = use(this, cloneDatabase);
  const env = newServiceEnv();
  const one = use(this, () => startApp({ env, database }));
  const two = use(this, () => startApp({ env, database }));

  before(async () => {
    await createIntegration(one, provider);
    await one.api.patch('/integrations/fake', { display_name: 'Acme Notes' });
  });

  /** Waits until the second request asks the database whether the first is still exchanging its code. Nothing else asks that. */
  async function secondRequestWaits(): Promise<void> {
    // `pg_stat_activity` still shows the last statement of an idle session, so statements before this exchange are left out.
    const sql = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and query like '%is_exchanging%' and query_start > (select max(used_at) from authorization_flows)`;
    await until('a second request waits', async () => (await one.database.db.raw(sql)).rows.length > 0);
  }

  const INSTANCES: Readonly<Record<string, () => TestApp>> = {
    'the same instance': () => one,
    'another instance': () => two,
  };
  for (const [where, instance] of Object.entries(INSTANCES)) {
    it(`during the exchange, at ${where}, wait and get the page of the first`, async () => {
      const before = (await connectionsOf(one)).length;
      const calls = provider.ledger.of('token').length;
      const back = await returnFromProvider(one, { token: await createSession(one, { tags: ADA }) });
      const barrier = new Barrier();
      provider.next('token', { barrier });
      const first = finish(back);
      await barrier.arrived();
      const elsewhere = new URL(back.callback.href.replace(one.url, instance().url));
      // A browser sends the service's cookie to both instances, because cookies ignore ports.
      const cookie = back.walker.cookies(one.url);
      let isAnswered = false;
      const second = fetch(elsewhere, { headers: { cookie, accept: 'text/html' } }).finally(() => {
        isAnswered = true;
      });
      await secondRequestWaits();
      expect(isAnswered).to.equal(false);
      barrier.open();
      const [page, again] = [await first, await second];
      expect([page.status, again.status]).to.deep.equal([200, 200]);
      expect(await again.text()).to.equal(page.text);
      expect(wordsOf(page)).to.match(
        /^Connected Your Acme Notes account is connected\. You can close this tab\. This was for Ada \(ada@acme\.example\)/,
      );
      expect(provider.ledger.of('token')).to.have.length(calls + 1);
      expect(await connectionsOf(one)).to.have.length(before + 1);
    });
  }

  it('get the failure of the first, word for word', async () => {
    const back = await returnFromProvider(one, { token: await createSession(one, { tags: ADA }) });
    const barrier = new Barrier();
    provider.next('token', { barrier, response: { status: 400, body: '{"error":"invalid_grant"}' } });
    const first = finish(back);
    await barrier.arrived();
    const second = finish(back);
    await secondRequestWaits();
    barrier.open();
    const [page, again] = [await first, await second];
    expect([page.status, again.status, again.text]).to.deep.equal([400, 400, page.text]);
    expect(wordsOf(page)).to.match(
      /^Not connected Acme Notes accepted you but refused .* This was for Ada \(ada@acme\.example\)/,
    );
  });

  it('from another browser during the exchange are refused at once', async () => {
    const back = await returnFromProvider(one);
    const barrier = new Barrier();
    provider.next('token', { barrier });
    const first = finish(back);
    await barrier.arrived();
    for (const stranger of [new WebWalker(), (await returnFromProvider(one)).walker]) {
      const page = await finish(back, {}, stranger);
      expect(page.status).to.equal(400);
      expect(wordsOf(page)).not.to.include('Acme Notes');
    }
    barrier.open();
    expect((await first).status).to.equal(200);
  });

  it('that begin at once, before there is a cookie, each get their connection', async () => {
    const walker = new WebWalker();
    const tabs = await Promise.all([1, 2, 3].map(() => returnFromProvider(one, { walker })));
    for (const tab of tabs) expect((await finish(tab)).status).to.equal(200);
  });

  it('by HEAD begin nothing', async () => {
    const token = await createSession(one);
    const flows = () => one.database.db('authorization_flows').count();
    const before = await flows();
    for (const address of [connectUrl(one, { token }), `${one.url}/oauth/connect/fake`, `${one.url}/oauth/callback`]) {
      const head = await fetch(address, { method: 'HEAD' });
      expect([head.status, await head.text(), head.headers.get('set-cookie')]).to.deep.equal([200, '', null]);
      expect(head.headers.get('referrer-policy')).to.equal('no-referrer');
    }
    expect(await flows()).to.deep.equal(before);
  });

  it('by HEAD use up no state and create nothing', async () => {
    const back = await returnFromProvider(one);
    const calls = provider.ledger.of('token').length;
    const connections = (await connectionsOf(one)).length;
    const head = await back.walker.visit(back.callback.href, { method: 'HEAD' });
    expect(head.status).to.equal(200);
    expect(provider.ledger.of('token')).to.have.length(calls);
    expect(await connectionsOf(one)).to.have.length(connections);
    expect((await finish(back)).status).to.equal(200);
  });

  describe('of an integration with a callback of its own', () => {
    before(() => createIntegration(one, provider, { key: 'own one', config: { own_callback: 'true' } }));

    it('come back there, with the redirect URI in request and exchange', async () => {
      const walker = new WebWalker();
      const location = (await enter(one, { key: 'own one', walker })).headers.get('location') ?? expect.fail('no redirect');
      const own = `${one.url}/oauth/callback/own%20one`;
      expect(new URL(location).searchParams.get('redirect_uri')).to.equal(own);
      const page = await walker.follow(location);
      if ('stoppedAt' in page) throw new Error('the walk stopped on its way');
      expect([page.status, page.url.split('?', 1)[0]]).to.deep.equal([200, own]);
      expect(provider.ledger.of('token').at(-1)?.params).to.include({ redirect_uri: own });
    });

    const ELSEWHERE = { 'the common callback': '/oauth/callback', 'the callback of another': '/oauth/callback/fake' };
    for (const [where, path] of Object.entries(ELSEWHERE)) {
      it(`are refused at ${where}, without a token request`, async () => {
        const back = await returnFromProvider(one, { key: 'own one' });
        const calls = provider.ledger.of('token').length;
        const page = await back.walker.visit(`${one.url}${path}${back.callback.search}`);
        expect(page.status).to.equal(400);
        expect(wordsOf(page)).to.match(/^Not connected The response did not come from /);
        expect(provider.ledger.of('token')).to.have.length(calls);
      });
    }

    it('are not mixed with those of the common callback', async () => {
      const back = await returnFromProvider(one);
      const page = await back.walker.visit(`${one.url}/oauth/callback/fake${back.callback.search}`);
      expect(page.status).to.equal(400);
    });
  });
});
