import { expect } from 'chai';
import { InvalidWebhookError, parseWebhook, type Webhook } from '../../sdk/node/src/svc.ts';
import { mustBe } from '../support/connect.ts';
import { Deliveries } from '../support/deliveries.ts';
import { use } from '../support/use.ts';

/** Returns the values of the properties that the client's types promise for this kind of webhook. */
function seenBy(webhook: Webhook): readonly unknown[] {
  if (webhook.type === 'forward') return [webhook.from, webhook.providerConfigKey, webhook.connectionId, webhook.payload];
  const { operation, success, connectionId, providerConfigKey, provider, authMode, environment, tags, endUser, error } = webhook;
  return [operation, success, connectionId, providerConfigKey, provider, authMode, environment, tags, endUser, error];
}

describe('parseWebhook of the Node client', function () {
  const deliveries = use(this, () => Deliveries.open());
  let secret: string;

  before(async () => {
    secret = await deliveries.secret();
    for (const type of ['auth', 'forward']) mustBe(200, await deliveries.app.api.post('/webhook-messages/test', { type }));
    await deliveries.deliver();
    await deliveries.untilStatus('delivered', 2);
  });

  it('reads both kinds of webhooks that the service sends', () => {
    const { entries } = deliveries.application.ledger;
    const seen = entries.map(({ body, headers }) => seenBy(parseWebhook(body, headers, secret)));
    expect(seen).to.have.deep.members([
      ['creation', true, 'svc-test', 'svc-test', 'svc-test', 'OAUTH2', 'dev', {}, undefined, undefined],
      ['svc-test', 'svc-test', 'svc-test', { test: true }],
    ]);
  });

  it('refuses a webhook that was changed or signed with another secret', () => {
    const [received = expect.fail('nothing was received')] = deliveries.application.ledger.entries;
    const { body, headers } = received;
    expect(() => parseWebhook(`${body} `, headers, secret)).to.throw(InvalidWebhookError);
    expect(() => parseWebhook(body, {}, secret)).to.throw(InvalidWebhookError);
    expect(() => parseWebhook(body, headers, `whsec_${Buffer.alloc(24, 8).toString('base64')}`)).to.throw(InvalidWebhookError);
  });
});
