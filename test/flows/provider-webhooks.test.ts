import { expect } from 'chai';
import type { CaseDelivery, WebhookCase } from '#contract';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { firstEnvironmentUuid } from '../support/hooked.ts';
import { INDEPENDENT_SIGNERS } from '../support/independent-signers.ts';
import { serve } from '../support/loopback-server.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { sendDelivery, storeScene, type WebhookScene, webhookPlugins } from '../support/webhook-cases.ts';

const plugins = (await webhookPlugins()).filter(({ name }) => Object.hasOwn(INDEPENDENT_SIGNERS, name));

describe('webhooks of real providers', function () {
  this.timeout(60_000);
  const net = new TestNet();
  const application = use(this, startFakeApplication);
  // This fake provider responds with the ID of the account to which the API key of the request belongs.
  const stripe = use(this, () =>
    serve(({ headers }, response) => response.end(JSON.stringify({ id: headers.authorization?.split('_of_')[1] }))),
  );
  const app = use(this, () => startApp({ net }));

  before(async () => {
    net.add('api.stripe.com', stripe.url);
    const webhook_url = net.add('application.example', application.url);
    await enableWebhooks(app.services.db, { webhook_url, on_new_connection: false });
    app.services.matching.start();
    app.services.deliverer.start();
  });

  it('are eight', () => {
    expect(plugins.map(({ name }) => name))
      .to.have.members(Object.keys(INDEPENDENT_SIGNERS))
      .and.have.length(8);
  });

  for (const { name } of plugins) {
    it(`arrive at the application when ${name} has signed them, and not with another signature`, async () => {
      const sample = caseOf(name);
      const scene = await storeScene(app, name, sample);
      const before = application.ledger.entries.length;

      const forged = await deliver(sample, scene, { number: 1, secret: canary('a guess') });
      expect(forged.status, forged.text).to.equal(401);
      const genuine = await deliver(sample, scene, { number: 2, secret: scene.secret });
      expect(genuine.status, genuine.text).to.equal(200);

      // The forged delivery was sent first, so if the service had forwarded it, the webhook would have arrived by now, too.
      await application.ledger.arrived('webhook', before + sample.types.length);
      const arrived = application.ledger.entries.slice(before);
      await Promise.all(arrived.map(({ ended }) => ended));
      const payloads = payloadsOf(genuine.sent, sample);
      expect(arrived.map(({ body }) => JSON.parse(body.toString()))).to.have.deep.members(
        payloads.map((payload) => ({
          from: name,
          providerConfigKey: name,
          type: 'forward',
          connectionId: scene.connectionId,
          payload,
        })),
      );
      for (const { headers } of arrived) expect(headers['svc-webhook-verified']).to.equal('true');
    });
  }

  it('are answered with Slack’s challenge while no signing secret is set, but are not accepted', async () => {
    const url = `${app.url}/webhook/${await firstEnvironmentUuid(app)}/new-slack`;
    const { status } = await app.api.post('/integrations', { unique_key: 'new-slack', provider: 'slack' });
    expect(status).to.equal(200);
    const headers = { 'content-type': 'application/json' };
    const send = (body: object) => sendDelivery({ url }, { headers, body: JSON.stringify(body) });
    const response = await send({ type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV' });
    expect([response.status, response.body]).to.deep.equal([200, { challenge: '3eZbrw1aBm2rZgRNFdxV' }]);
    expect((await send({ type: 'event_callback', team_id: 'T0001' })).status).to.equal(401);
  });

  it("are taken from a Stripe account's own endpoint by the secret on its connection, and by no other's", async () => {
    const sample = caseOf('stripe');
    const [own, other] = [canary('own endpoint secret'), canary('other endpoint secret')];
    const integration = {
      unique_key: 'accounts',
      provider: 'stripe',
      credentials: { webhook_secret: canary('platform secret') },
    };
    expect((await app.api.post('/integrations', integration)).status).to.equal(200);
    const ids = [await storeStripe('acct_own', own), await storeStripe('acct_other', other)] as const;
    const url = `${app.url}/webhook/${await firstEnvironmentUuid(app)}/accounts`;

    const before = application.ledger.entries.length;
    const statuses: number[] = [];
    for (const [number, [secret, connectionId]] of (
      [
        [other, ids[0]],
        [own, ids[1]],
        [own, ids[0]],
      ] as const
    ).entries()) {
      const whole = sample.deliver({ isKnown: true, secret, url, sentAt: new Date(), number });
      statuses.push((await sendDelivery({ url }, { ...whole, query: { svcConnectionId: connectionId } })).status);
    }
    expect(statuses).to.deep.equal([401, 401, 200]);
    await application.ledger.arrived('webhook', before + 1);
    const arrived = application.ledger.entries.slice(before);
    await Promise.all(arrived.map(({ ended }) => ended));
    expect(arrived.map(({ body }) => JSON.parse(body.toString()).connectionId)).to.deep.equal([ids[0]]);
  });

  /** Stores a connection to a Stripe account whose endpoint signs with a secret that no other account shares. */
  async function storeStripe(account: string, secret: string): Promise<string> {
    const { status, body, text } = await app.api.post('/connections', {
      provider_config_key: 'accounts',
      credentials: { type: 'API_KEY', apiKey: rememberSecret('Stripe key', `sk_test_of_${account}`) },
      connection_config: { webhook_secret: secret },
    });
    expect(status, text).to.equal(200);
    expect(body.connection_config.account_id).to.equal(account);
    return body.connection_id;
  }

  function caseOf(plugin: string): WebhookCase {
    const sample = plugins.find(({ name }) => name === plugin)?.sample;
    if (sample === undefined) throw new Error(`${plugin} has no case`);
    return sample;
  }

  /** Sends a delivery that is signed by independent code instead of the sample's. */
  async function deliver(sample: WebhookCase, { url }: WebhookScene, facts: { number: number; secret: string }) {
    const whole = sample.deliver({ isKnown: true, secret: 'not this one', url, sentAt: new Date(), number: facts.number });
    const name = new URL(url).pathname.split('/').at(-1) ?? '';
    const headers = await INDEPENDENT_SIGNERS[name]?.({ secret: facts.secret, url, delivery: whole });
    const sent: CaseDelivery = { ...whole, headers: { ...whole.headers, ...headers } };
    return { ...(await sendDelivery({ url }, sent)), sent };
  }
});

/** Returns the payloads of a delivery, which are several if it is a batch. */
function payloadsOf({ body }: CaseDelivery, { types }: WebhookCase): unknown[] {
  const payload = JSON.parse(body);
  return types.length === 1 ? [payload] : payload;
}
