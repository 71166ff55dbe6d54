import { expect } from 'chai';
import type { CaseDelivery, WantedDelivery } from '#contract';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { matchAll, type WaitingForward } from '../support/hooked.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';
import { sendDelivery, storeScene, type WebhookScene, webhookPlugins } from '../support/webhook-cases.ts';

const UNSIGNED = ['webhook_missing_signature', 'webhook_invalid_signature'];
/**
 * How far the tested times of sending stay from the limit of a delivery's age on either side, because time passes while a
 * delivery is on its way.
 */
const MARGIN_SECONDS = 5;

const plugins = await webhookPlugins();

describe('webhooks', function () {
  this.timeout(60_000);
  const app = use(this, () => startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));

  before(async () => {
    await enableWebhooks(app.services.db);
  });
  it('are found on disk', () => {
    expect(plugins.map(({ name }) => name)).to.include.members(['github', 'gitlab', 'slack', 'stripe', 'shopify', 'linear']);
    expect(plugins.map(({ name }) => name)).to.include.members(['calendly', 'hubspot', 'issue-tracker', 'scheduling', 'trello']);
  });

  for (const { name, rules, sample } of plugins) {
    if (sample === undefined) {
      it(`are described for ${name} by its file webhook-case.ts`, () => expect.fail('the file is missing'));
      continue;
    }
    describe(`of ${name}`, () => {
      let scene: WebhookScene;
      let number = 0;

      before(async () => {
        scene = await storeScene(app, name, sample);
      });

      /** Returns a delivery that differs from all others. */
      const delivery = (wanted: Partial<WantedDelivery> = {}): CaseDelivery => {
        number += 1;
        const { secret, url } = scene;
        return sample.deliver({ isKnown: true, secret, url, sentAt: app.clock.now(), number, ...wanted });
      };

      const send = (one: CaseDelivery): Promise<ClientResponse> => sendDelivery(scene, one);

      async function forwards(work: () => Promise<unknown>): Promise<WaitingForward[]> {
        const before = (await matchAll(app)).length;
        await work();
        return (await matchAll(app)).slice(before);
      }

      async function expectRefused(...deliveries: CaseDelivery[]): Promise<void> {
        const sent = await forwards(async () => {
          for (const one of deliveries) {
            const { status, body } = await send(one);
            expect([status, UNSIGNED.includes(body.error.code)]).to.deep.equal([401, true]);
          }
        });
        expect(sent).to.deep.equal([]);
      }

      it('accepts a delivery that the provider signed, and forwards it to its connection', async () => {
        const sent = await forwards(async () => expect((await send(delivery())).status).to.equal(200));
        expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal(sample.types.map(() => scene.connectionId));
        for (const { body, headers } of sent) {
          expect(body).to.deep.include({
            from: sample.provider ?? name,
            providerConfigKey: name,
            type: 'forward',
            connectionId: scene.connectionId,
          });
          expect(headers['svc-webhook-verified']).to.equal('true');
          expect(Object.values(headers)).to.not.include(scene.secret);
        }
      });

      it('describe in words how they find their connection', () => expect(rules.matchedBy).to.not.be.empty);

      it('names the events', () => {
        const { headers, query = {}, body } = delivery();
        const webhook = { method: 'POST', url: scene.url, headers, query, rawBody: Buffer.from(body), payload: JSON.parse(body) };
        expect(rules.events(webhook).map(({ type }) => type)).to.deep.equal(sample.types);
      });

      it('refuses an unsigned delivery', async () => {
        const { headers, ...rest } = delivery();
        const unsigned = Object.entries(headers).filter(([header]) => !sample.signatureHeaders.includes(header));
        expect(unsigned.length).to.equal(Object.keys(headers).length - sample.signatureHeaders.length);
        await expectRefused({ ...rest, headers: Object.fromEntries(unsigned) });
      });

      it('refuses a delivery that somebody else signed, and one that was changed in transit', async () => {
        const foreign = delivery({ secret: canary('somebody else') });
        const { body, ...rest } = delivery();
        await expectRefused(foreign, ...(signsBody() ? [{ ...rest, body: `${body} ` }] : []));
      });

      it(sample.toleranceSeconds === undefined ? 'has no signed time' : 'refuses an old or future delivery', async () => {
        const tolerances = rules.signature.flatMap((rule) => ('timestamp' in rule ? [rule.timestamp?.toleranceSeconds] : []));
        const { toleranceSeconds } = sample;
        expect([...new Set(tolerances)]).to.deep.equal(toleranceSeconds === undefined ? [] : [toleranceSeconds]);
        if (toleranceSeconds === undefined) return;
        const at = (seconds: number) => delivery({ sentAt: new Date(app.clock.now().getTime() + seconds * 1000) });
        await expectRefused(at(-toleranceSeconds - MARGIN_SECONDS), at(toleranceSeconds + MARGIN_SECONDS));
        expect((await send(at(MARGIN_SECONDS - toleranceSeconds))).status).to.equal(200);
      });

      it('handles a repeated delivery once (WHK-04)', async () => {
        const one = delivery();
        const sent = await forwards(async () => {
          const responses = await Promise.all(Array.from({ length: 5 }, () => send(one)));
          responses.push(await send(one));
          expect(responses.map(({ status }) => status)).to.deep.equal(responses.map(() => 200));
        });
        expect(sent).to.have.length(sample.types.length);
      });

      it('forwards a delivery for an unknown connection without a connection', async () => {
        const sent = await forwards(async () => expect((await send(delivery({ isKnown: false }))).status).to.equal(200));
        expect(sent.map(({ body }) => 'connectionId' in body)).to.deep.equal(sample.types.map(() => false));
      });

      /** Returns whether the signature covers the body; a token that is sent instead of a signature does not. */
      function signsBody(): boolean {
        return rules.signature.every(({ scheme }) => scheme !== 'token');
      }
    });
  }
});
