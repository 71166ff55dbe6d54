import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { removeExpiredChoices } from '../../core/connect/flows/choice-store.ts';
import { AccountInstallation } from '../support/account-installation.ts';
import { connectionsOf, finish, wordsOf } from '../support/authorization.ts';
import { type Connected, connectUrl, createReconnectSession, createSession, readConnection } from '../support/connect.ts';
import { openFlowStream } from '../support/flow-events.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { useEach } from '../support/use.ts';
import { type Page, WebWalker } from '../support/web-walker.ts';
import { beginWindowFlow, returnFromLaunch } from '../support/window-flow.ts';

const FOUND = { type: 'string', title: 'Found', automated: true };
const SITES = [
  { id: 'site-1', name: 'One', user: { id: 'ada' } },
  { id: 'site-2', name: 'Two', user: { id: 'ada' } },
];
const OPTIONS = [
  { id: 'site-1', label: 'One' },
  { id: 'site-2', label: 'Two' },
];

/** A flow that a user interface has begun under an ID that it chose itself. */
interface Begun {
  readonly api: Client;
  readonly flowId: string;
  readonly page: Page;
  readonly walker: WebWalker;
}

describe('a flow whose user has to choose', function () {
  const setup = useEach(this, () =>
    AccountInstallation.open({
      definition: {
        identity: { endpoint: '/account', account: { id: '0.user.id' } },
        connection_config: { siteId: FOUND },
        discover: [{ endpoint: '/sites', values: { siteId: 'id' }, choose: { list: '$', id: 'id', label: 'name' } }],
      },
    }),
  );
  beforeEach(() => setup.respond(SITES));

  async function begin({ token, flowId = randomUUID() }: { token?: string; flowId?: string } = {}): Promise<Begun> {
    const session = token ?? (await createSession(setup.app));
    const walker = new WebWalker();
    const page = await walker.follow(`${connectUrl(setup.app, { key: setup.key, token: session })}&flow_id=${flowId}`);
    if ('stoppedAt' in page) throw new Error('the walk stopped on its way');
    return { api: setup.app.client(session), flowId, page, walker };
  }

  const read = ({ api, flowId }: Begun) => api.get(`/connect/flows/${flowId}/choice`);
  const choose = ({ api, flowId }: Begun, id = 'site-2') => api.post(`/connect/flows/${flowId}/choice`, { id });
  const flows = () => setup.app.database.db('authorization_flows').orderBy('id', 'desc');

  async function siteOf({ body }: ClientResponse): Promise<unknown> {
    const connected: Connected = { connectionId: body.connectionId, key: setup.key };
    return (await readConnection(setup.app, connected)).body.connection_config;
  }

  it('stores nothing but the pending choice, encrypted, and says that it waits', async () => {
    const begun = await begin();
    expect(begun.page.status).to.equal(200);
    expect(wordsOf(begun.page)).to.match(/^Almost done Go back to the window where you started/);
    expect(await connectionsOf(setup.app)).to.deep.equal([]);
    expect(await setup.webhooks()).to.deep.equal([]);
    const { body } = await read(begun);
    expect(body.data).to.deep.include({ state: 'choosing', options: OPTIONS });
    expect(Date.parse(body.data.expires_at) - setup.app.clock.now().getTime()).to.be.within(1, 15 * 60_000);
    // The tokens are stored, but encrypted: at the end of the suite, a sweep searches the database for them in clear text.
    expect((await flows())[0].choice).to.be.instanceOf(Buffer);
  });

  it('connects what the user chose, once', async () => {
    const begun = await begin();
    const response = await choose(begun);
    expect(response.status, response.text).to.equal(200);
    expect(await siteOf(response)).to.deep.equal({ siteId: 'site-2' });
    expect((await setup.webhooks()).map(({ operation, success }) => [operation, success])).to.deep.equal([['creation', true]]);
    const [{ choice, outcome }] = await flows();
    expect([choice, outcome === null]).to.deep.equal([null, false]);
    expectError(await choose(begun), 'conflict');
    expect(await connectionsOf(setup.app)).to.have.lengthOf(1);
  });

  it('can be followed like any other, and connects a choice that comes after its session has expired', async () => {
    const flow = await beginWindowFlow(setup.app, { key: setup.key });
    const back = await returnFromLaunch(setup.app, flow);
    await setup.app.clock.advance(40 * 60_000);
    expect(wordsOf(await finish(back))).to.match(/^Almost done /);
    expect(await flow.read()).to.deep.include({ state: 'choosing', options: OPTIONS, error: null });
    using stream = await openFlowStream(setup.app, flow);
    const response = await setup.app.client(flow.token).post(`/connect/flows/${flow.id}/choice`, { id: 'site-2' });
    expect([response.status, await siteOf(response)]).to.deep.equal([200, { siteId: 'site-2' }]);
    expect((await stream.rest()).at(-1)?.flow).to.deep.include({ state: 'succeeded', options: [] });
  });

  it('connects once for two choices at the same time', async () => {
    const begun = await begin();
    const barrier = setup.provider.barrier('api');
    const first = choose(begun);
    await barrier.arrived();
    expectError(await choose(begun, 'site-1'), 'conflict');
    barrier.open();
    setup.respond(SITES);
    expect((await first).status).to.equal(200);
    expect(await connectionsOf(setup.app)).to.have.lengthOf(1);
  });

  it('shows the same page when its callback is visited again', async () => {
    const begun = await begin();
    const again = await begun.walker.visit(begun.page.url);
    expect([again.status, wordsOf(again)]).to.deep.equal([200, wordsOf(begun.page)]);
  });

  for (const [what, session, sites] of [
    ['the session chose', { choices: { accounts: 'site-1' } }, SITES],
    ['there is only one', {}, SITES.slice(0, 1)],
  ] as const) {
    it(`does not wait for a choice when ${what}`, async () => {
      setup.respond(sites);
      const { page } = await begin({ token: await createSession(setup.app, session) });
      expect(wordsOf(page)).to.match(/^Connected/);
    });
  }

  it('does not wait for a choice for a connection that already has a site', async () => {
    const connected = await setup.connect({ choices: { [setup.key]: 'site-2' } });
    const { page } = await begin({ token: await createReconnectSession(setup.app, connected) });
    expect(wordsOf(page)).to.match(/^Connected/);
    expect((await readConnection(setup.app, connected)).body.connection_config).to.deep.equal({ siteId: 'site-2' });
  });

  it('accepts none but the options, and keeps waiting otherwise', async () => {
    const begun = await begin();
    for (const id of ['site-3', 'One', 'constructor']) expectError(await choose(begun, id), 'invalid_body', ['id']);
    expect((await choose(begun)).status).to.equal(200);
  });

  it('is neither readable nor usable by another session', async () => {
    const begun = await begin();
    const stranger = { ...begun, api: setup.app.client(await createSession(setup.app)) };
    for (const response of [await read(stranger), await choose(stranger), await read({ ...begun, flowId: randomUUID() })])
      expectError(response, 'not_found');
    expect((await choose(begun)).status).to.equal(200);
  });

  it('ends after a quarter of an hour at the latest, and the tokens are removed', async () => {
    const begun = await begin();
    await setup.app.clock.advance(15 * 60_000, setup.app.database.db);
    expect((await read(begun)).body.data).to.deep.equal({ state: 'ended', options: [], expires_at: null });
    expectError(await choose(begun), 'conflict');
    await removeExpiredChoices(setup.app.services);
    expect((await flows())[0].choice).to.equal(null);
    expect(await connectionsOf(setup.app)).to.deep.equal([]);
  });

  it('loses its tokens when its session ends', async () => {
    const begun = await begin();
    await begun.api.delete('/connect/session');
    await removeExpiredChoices(setup.app.services);
    expect((await flows())[0].choice).to.equal(null);
  });

  it('accepts the choice once more when the process that took it is gone', async () => {
    const begun = await begin();
    const { db } = setup.app.database;
    await db('authorization_flows').update({ exchanging_until: db.raw(`clock_timestamp() + interval '6 seconds'`) });
    expectError(await choose(begun), 'conflict');
    await db('authorization_flows').update({ exchanging_until: db.raw(`clock_timestamp() - interval '1 second'`) });
    expect((await choose(begun)).status).to.equal(200);
  });

  it('accepts the choice once more when the provider could not be reached', async () => {
    const begun = await begin();
    setup.respond({}, 503);
    expectError(await choose(begun), 'provider_unavailable');
    setup.respond(SITES);
    expect((await choose(begun)).status).to.equal(200);
  });

  it('has failed when the provider refuses, and the application is notified', async () => {
    const begun = await begin();
    setup.respond({}, 401);
    expectError(await choose(begun), 'connection_test_failed');
    expect((await setup.webhooks()).at(-1)).to.deep.include({ operation: 'creation', success: false });
    expect((await read(begun)).body.data.state).to.equal('ended');
    expect((await flows())[0].choice).to.equal(null);
  });

  it('is refused for another account than the connection’s, and the old credentials stay', async () => {
    const connected = await setup.connect({ choices: { [setup.key]: 'site-2' } });
    const before = await setup.credentialsOf(connected);
    setup.respond(SITES.map((site) => ({ ...site, id: `${site.id}0`, user: { id: 'eve' } })));
    const begun = await begin({ token: await createReconnectSession(setup.app, connected) });
    expectError(await choose(begun, 'site-10'), 'wrong_account');
    expect(await setup.credentialsOf(connected)).to.deep.equal(before);
  });

  it('is pending until the user is back', async () => {
    const barrier = setup.provider.barrier('token');
    const [token, flowId] = [await createSession(setup.app), randomUUID()];
    const begun = begin({ token, flowId });
    await barrier.arrived();
    const { body } = await setup.app.client(token).get(`/connect/flows/${flowId}/choice`);
    expect(body.data).to.deep.equal({ state: 'pending', options: [], expires_at: null });
    barrier.open();
    expect((await begun).page.status).to.equal(200);
  });

  it('has an ID that is unique in its session', async () => {
    const token = await createSession(setup.app);
    const { flowId } = await begin({ token });
    expect((await begin({ token, flowId })).page.status).to.equal(409);
    expect((await begin({ flowId })).page.status).to.equal(200);
  });
});
