import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, connectAgain } from '../support/connect.ts';
import { createScheduler, FakeScheduler } from '../support/fake-scheduler.ts';
import { matchAll } from '../support/hooked.ts';
import { type ClientResponse, client } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeTenant } from '../support/stored.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { runSubscriptions, storedSubscription, subscribeOne, waitingSubscriptions } from '../support/subscriptions.ts';
import { use } from '../support/use.ts';

describe('webhooks that are registered at the scheduling provider', function () {
  const scheduler = use(this, () => FakeScheduler.start());
  const app = use(this, () => startApp({ env: { SVC_CLIENT_PREFIX: 'Acme' } }));
  const secret = canary('webhook secret');
  let first: Connected;
  let second: Connected;
  let elsewhere: Connected;
  let number = 0;

  before(async () => {
    await enableWebhooks(app.services.db);
    await createScheduler(app, scheduler, { webhookSecret: secret });
    await createScheduler(app, scheduler, { key: 'another', webhookSecret: secret });
    first = await connectAgain(app, 'calendar');
    second = await connectAgain(app, 'calendar');
    elsewhere = await connectAgain(app, 'another');
    await runSubscriptions(app);
  });

  const addressOf = ({ connectionId }: Connected): URL => {
    const urls = [...scheduler.webhooks.values()].map(({ subscriberUrl }) => new URL(subscriberUrl));
    return urls.find(({ searchParams }) => searchParams.get('svcConnectionId') === connectionId) ?? expect.fail('not registered');
  };

  /** Sends a unique delivery, signed with the secret that all connections share. */
  function deliver(address: URL, members: Readonly<Record<string, unknown>> = {}): Promise<ClientResponse> {
    number += 1;
    const body = JSON.stringify({ triggerEvent: 'BOOKING_CREATED', payload: { uid: number }, ...members });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-scheduler-signature-256': signature };
    return client(app.url).call('POST', address.href, { headers, body });
  }

  async function newestForward() {
    return (await matchAll(app)).at(-1) ?? expect.fail('nothing was forwarded');
  }

  function changed(address: URL, change: (query: URLSearchParams) => void): URL {
    const copy = new URL(address);
    change(copy.searchParams);
    return copy;
  }

  it('are one for each connection, with the secret and a template that names the connection', async () => {
    const { subscription, dueAt } = await storedSubscription(app, first);
    const webhook = scheduler.webhooks.get(String(subscription['id'])) ?? expect.fail('not registered');
    expect(scheduler.webhooks.size).to.equal(3);
    expect(dueAt).to.equal(null);
    const { payloadTemplate, ...rest } = webhook;
    expect(rest).to.deep.equal({
      active: true,
      subscriberUrl: addressOf(first).href,
      triggers: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
      secret,
    });
    expect(JSON.parse(payloadTemplate ?? '')).to.deep.include({
      svcConnectionId: first.connectionId,
      triggerEvent: '{{triggerEvent}}',
    });
  });

  it('find the connection by the name of existing clients, too, in the address or the body, and arrive unchanged', async () => {
    const theirs = new URL(addressOf(first).pathname, app.url);
    const [one, other] = [await storeConnection(app, { key: 'calendar' }), await storeConnection(app, { key: 'calendar' })];
    expect((await deliver(theirs, { acmeConnectionId: one.connectionId })).status).to.equal(200);
    const { connectionId, body } = await newestForward();
    expect(connectionId).to.equal(one.connectionId);
    expect(body.payload).to.include({ acmeConnectionId: one.connectionId }).and.to.not.have.property('svcConnectionId');

    theirs.searchParams.set('acmeConnectionId', other.connectionId);
    expect((await deliver(theirs)).status).to.equal(200);
    expect((await newestForward()).connectionId).to.equal(other.connectionId);
    expect((await deliver(theirs, { acmeConnectionId: one.connectionId })).status).to.equal(400);
  });

  it('arrive for the connection that the address names, and the body names the same', async () => {
    for (const members of [{}, { svcConnectionId: first.connectionId }]) {
      expect((await deliver(addressOf(first), members)).status).to.equal(200);
      const { connectionId, headers, body } = await newestForward();
      expect([connectionId, headers['svc-webhook-verified'], body.from]).to.deep.equal([
        first.connectionId,
        'true',
        'scheduling',
      ]);
    }
  });

  it('arrive at the address that was registered, after the integration was renamed', async () => {
    await createScheduler(app, scheduler, { key: 'agenda', webhookSecret: secret });
    const connected = await connectAgain(app, 'agenda');
    await runSubscriptions(app);
    expect((await app.api.patch('/integrations/agenda', { unique_key: 'planner' })).status).to.equal(200);
    expect((await deliver(addressOf(connected))).status).to.equal(200);
    const { connectionId, body } = await newestForward();
    expect([connectionId, body.providerConfigKey]).to.deep.equal([connected.connectionId, 'planner']);
  });

  it('arrive for the connection that the body names, where the address names none', async () => {
    const { connectionId } = await storeConnection(app, { key: 'calendar' });
    expect((await deliver(bare(addressOf(first)), { svcConnectionId: connectionId })).status).to.equal(200);
    expect((await newestForward()).connectionId).to.equal(connectionId);
  });

  it('match no connection without the tag if the service registered the address of the named connection', async () => {
    const untagged = changed(addressOf(first), (query) => query.delete('svcTag'));
    for (const [url, members] of [[untagged, {}] as const, [bare(untagged), { svcConnectionId: second.connectionId }] as const]) {
      expect((await deliver(url, members)).status).to.equal(200);
      const { connectionId, headers } = await newestForward();
      expect([connectionId, headers['svc-webhook-verified']]).to.deep.equal([null, 'true']);
    }
  });

  it('are refused when address and body name different connections', async () => {
    const count = (await matchAll(app)).length;
    expectError(await deliver(addressOf(first), { svcConnectionId: second.connectionId }), 'webhook_invalid_payload');
    const untagged = changed(addressOf(first), (query) => query.delete('svcTag'));
    expectError(await deliver(untagged, { svcConnectionId: second.connectionId }), 'webhook_invalid_payload');
    expectError(await deliver(untagged, { svcConnectionId: elsewhere.connectionId }), 'webhook_invalid_payload');
    expect(await matchAll(app)).to.have.length(count);
  });

  it('are refused at an address that the service did not create, even if they are signed', async () => {
    const count = (await matchAll(app)).length;
    const address = addressOf(first);
    const tag = address.searchParams.get('svcTag') ?? '';
    const forged = {
      'the tag of another connection': changed(address, (query) =>
        query.set('svcTag', addressOf(second).searchParams.get('svcTag') ?? ''),
      ),
      'the tag of a connection of another integration': changed(address, (query) =>
        query.set('svcTag', addressOf(elsewhere).searchParams.get('svcTag') ?? ''),
      ),
      'another connection under the tag': changed(address, (query) => query.set('svcConnectionId', second.connectionId)),
      'no connection under the tag': changed(address, (query) => query.delete('svcConnectionId')),
      'a tag in capitals': changed(address, (query) => query.set('svcTag', tag.toUpperCase())),
      'half a tag': changed(address, (query) => query.set('svcTag', tag.slice(0, 32))),
      'an empty tag': changed(address, (query) => query.set('svcTag', '')),
      'two tags': changed(address, (query) => query.append('svcTag', tag)),
      'the path of another integration': new URL(addressOf(first).href.replace('/calendar?', '/another?')),
    };
    for (const [fault, url] of Object.entries(forged)) {
      const response = await deliver(url);
      expect([response.status, response.body.error?.code], fault).to.deep.equal([401, 'webhook_invalid_signature']);
    }
    expect(await matchAll(app)).to.have.length(count);
  });

  it('belong to no connection of another integration or environment', async () => {
    const tenant = await storeTenant(app, 'staging');
    await createScheduler(tenant, scheduler, { webhookSecret: secret });
    const foreign = await storeConnection(app, { key: 'calendar', environmentId: tenant.environmentId });
    for (const { connectionId } of [elsewhere, foreign]) {
      const named = changed(addressOf(first), (query) => {
        query.delete('svcTag');
        query.set('svcConnectionId', connectionId);
      });
      for (const [url, members] of [[named, {}] as const, [bare(named), { svcConnectionId: connectionId }] as const]) {
        expect((await deliver(url, members)).status).to.equal(200);
        const forward = await newestForward();
        expect(forward.connectionId).to.equal(null);
        expect(forward.body).not.to.have.property('connectionId');
      }
    }
  });

  it('are tagged with one key, whichever of two instances is asked first', async () => {
    await using twin = await startApp({
      database: app.database,
      env: { SVC_ENCRYPTION_KEYS: app.encryptionKeys, SVC_BASE_URL: app.url },
    });
    await createScheduler(app, scheduler, { key: 'third', webhookSecret: secret });
    const connections = [await connectAgain(app, 'third'), await connectAgain(app, 'third')];
    const waiting = await waitingSubscriptions(app);
    await app.database.db('environments').where({ id: 1 }).update({ webhook_tag_key: null });
    app.services.tagKeys.clear();
    await Promise.all(waiting.map(({ id }, index) => subscribeOne(index === 0 ? app : twin, id)));
    for (const connected of connections) expect((await deliver(addressOf(connected))).status).to.equal(200);
  });

  function bare(url: URL): URL {
    return new URL(url.origin + url.pathname);
  }
});
