import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { matchAll } from '../support/hooked.ts';
import { incomingWebhook } from '../support/incoming-webhook.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';
import { sendDelivery, storeScene } from '../support/webhook-cases.ts';
import { deliveryOf, VENDORS } from '../support/webhook-examples.ts';

describe('webhooks that vendors publish', function () {
  const app = use(this, () => startApp());
  let number = 0;

  before(async () => {
    await enableWebhooks(app.services.db);
  });

  for (const vendor of VENDORS) {
    for (const example of vendor.examples) {
      const whose = example.connection === undefined ? 'nobody’s' : 'its connection’s';
      it(`of ${vendor.provider}: ${example.file} is accepted, and is ${whose}`, async () => {
        number += 1;
        const { provider, secret, sentAt } = vendor;
        const scene = await storeScene(app, `example-${number}`, { provider, secret, connection: example.connection ?? {} });
        const delivery = await deliveryOf(vendor, example, { ...scene, now: app.clock.now() });
        const before = (await matchAll(app)).length;
        const awayMs = sentAt === undefined ? 0 : sentAt.getTime() - app.clock.now().getTime();
        await app.clock.advance(awayMs);
        const { status, text } = await sendDelivery(scene, delivery);
        await app.clock.advance(-awayMs);
        expect(status, text).to.equal(200);

        const sent = (await matchAll(app)).slice(before);
        const expected = example.connection === undefined ? null : scene.connectionId;
        expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal(example.types.map(() => expected));
        for (const { headers } of sent) expect(headers['svc-webhook-verified']).to.equal('true');
        const events = app.services.plugins.webhookRules(provider)?.events(incomingWebhook(delivery));
        expect(events?.map(({ type }) => type)).to.deep.equal(example.types);
      });
    }
  }
});
