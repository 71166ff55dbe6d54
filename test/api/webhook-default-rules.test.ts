import { expect } from 'chai';
import { registeredAddress, webhookTagKey } from '../../core/connections/integrations/webhook-address.ts';
import { startApp } from '../support/app.ts';
import { firstEnvironmentUuid, matchAll } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

const KEY = 'without-rules';
const HEADERS = {
  'content-type': 'application/json',
  'x-acme-event': 'made',
  'x-acme-signature-256': 'sha256=00',
  'x-acme-token': 'a secret sent as it is',
  authorization: 'Bearer nothing of ours',
};

describe('webhooks of a provider without rules for them', function () {
  const app = use(this, startApp);
  let address: string;
  let registered: URL;
  let connectionId: string;

  before(async () => {
    await enableWebhooks(app.services.db);
    await storeIntegration(app.api, KEY);
    ({ connectionId } = await storeConnection(app, { key: KEY }));
    const { body } = await app.api.get(`/integrations/${KEY}?include=webhook`);
    address = new URL(body.data.webhook_url).pathname;
    const tagKey = (await webhookTagKey(app.services, 1)) ?? expect.fail('no key');
    const environmentUuid = await firstEnvironmentUuid(app);
    const made = { baseUrl: app.url, environmentUuid, integrationKey: KEY, connectionId };
    registered = new URL(registeredAddress(tagKey, made));
  });

  /** Sends a delivery as the provider. @returns the status of the response, and the webhooks that forwarded the delivery */
  async function deliver(path: string, body = JSON.stringify({ at: performance.now() })) {
    const before = (await matchAll(app)).length;
    const { status } = await client(app.url).call('POST', path, { headers: HEADERS, body });
    return { status, sent: (await matchAll(app)).slice(before) };
  }

  it('are accepted and forwarded without a connection, unverified', async () => {
    const { status, sent } = await deliver(address, '{"event":"made"}');
    expect(status).to.equal(200);
    expect(sent.map(({ body, headers }) => [body, headers['svc-webhook-verified']])).to.deep.equal([
      [{ from: 'generic-oauth', providerConfigKey: KEY, type: 'forward', payload: { event: 'made' } }, 'false'],
    ]);
  });

  it('carry the headers that name the event and sign it, and none that may be a secret', async () => {
    const { sent } = await deliver(address);
    expect(Object.keys(sent[0]?.headers ?? {}).toSorted()).to.deep.equal([
      'svc-webhook-verified',
      'x-acme-event',
      'x-acme-signature-256',
    ]);
  });

  it('are verified and belong to the connection at an address that was created for it', async () => {
    const { status, sent } = await deliver(registered.pathname + registered.search);
    expect(status).to.equal(200);
    expect(sent.map((one) => [one.connectionId, one.headers['svc-webhook-verified']])).to.deep.equal([[connectionId, 'true']]);
  });

  it('belong to no connection if the service did not create the address that names it', async () => {
    const { status, sent } = await deliver(`${address}?svcConnectionId=${connectionId}`);
    expect(status).to.equal(200);
    expect(sent.map((one) => [one.connectionId, one.headers['svc-webhook-verified']])).to.deep.equal([[null, 'false']]);
  });

  it('are refused with a wrong tag', async () => {
    const tag = registered.searchParams.get('svcTag') ?? '';
    const { status, sent } = await deliver(`${address}?svcConnectionId=other&svcTag=${tag}`);
    expect([status, sent]).to.deep.equal([401, []]);
  });
});
