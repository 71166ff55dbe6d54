import { expect } from 'chai';
import { changedClient } from '../../../../core/connections/integrations/client-app.ts';
import { webhookSecretsOf } from '../../../../core/connections/integrations/webhook-secrets.ts';
import { canary, rememberSecret } from '../../../support/canaries.ts';
import { TestClock } from '../../../support/clock.ts';
import { forgeriesOf } from '../../../support/signed-webhooks/forgeries.ts';
import { SCHEMES } from '../../../support/signed-webhooks/schemes.ts';
import { incoming, verifyDelivery } from '../../../support/signed-webhooks/verification.ts';

const DAY_MS = 24 * 3_600_000;
const BODY = Buffer.from('{"id": 1, "by": "Zoë"}');
const BODIES = [BODY, Buffer.from('{}'), Buffer.from(`{"long": "${'x'.repeat(100_000)}"}`)];

/** Returns a secret that also suits schemes that decode their secrets from base64. */
function secret(name: string): string {
  return rememberSecret(name, `whsec_${Buffer.from(canary(name)).toString('base64')}`);
}

describe('WHK-01: a signed delivery', () => {
  const clock = new TestClock();
  const ended = secret('webhook secret that has ended');
  const current = secret('webhook secret');
  const clientSecret = canary('client secret');
  const first = changedClient({ scopes: [] }, { client_secret: clientSecret, webhook_secret: ended }, clock.now());
  const client = changedClient(first, { webhook_secret: current }, clock.now());
  const secretsNow = () =>
    webhookSecretsOf({ catalogue: { find: () => undefined }, clock }, { provider: 'acme', client, integrationConfig: {} });
  let refused = 0;

  before(() => clock.advance(DAY_MS));

  for (const [name, scheme] of Object.entries(SCHEMES)) {
    it(`of ${name} is verified as an honest sender signs it`, async () => {
      for (const rawBody of BODIES) {
        const headers = await scheme.honest(current, rawBody, clock.now());
        const { verification } = await verifyDelivery(
          [scheme.rule],
          { webhook: incoming({ headers, rawBody }), integration: secretsNow() },
          { clock },
        );
        expect(verification, `${rawBody.byteLength} bytes`).to.equal('verified');
      }
    });

    it(`of ${name} is refused in every forged form`, async () => {
      const otherSecret = secret('webhook secret of another');
      const found = { scheme, secret: current, otherSecret, endedSecret: ended, clientSecret, body: BODY, at: clock.now() };
      const forgeries = Object.entries(forgeriesOf(found));
      const verifications = await Promise.all(
        forgeries.map(async ([fault, parts]) => {
          const webhook = incoming({ rawBody: BODY, ...parts });
          const { verification } = await verifyDelivery([scheme.rule], { webhook, integration: secretsNow() }, { clock });
          return [fault, verification] as const;
        }),
      );
      const others = verifications.filter(([, verification]) => !/^webhook_(missing|invalid)_signature$/.test(verification));
      expect(others).to.deep.equal([]);
      refused += verifications.length;
    });
  }

  it('was forged in at least 250 ways', () => expect(refused).to.be.at.least(250));
});
