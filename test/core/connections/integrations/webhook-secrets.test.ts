import { expect } from 'chai';
import { changedClient } from '../../../../core/connections/integrations/client-app.ts';
import type { ClientApp } from '../../../../core/connections/integrations/integration.ts';
import { integrationByKey } from '../../../../core/connections/integrations/integration-store.ts';
import { webhookSecretsOf } from '../../../../core/connections/integrations/webhook-secrets.ts';
import { startApp } from '../../../support/app.ts';
import { canary, sweep } from '../../../support/canaries.ts';
import { TestClock } from '../../../support/clock.ts';
import { use } from '../../../support/use.ts';

const HOUR_MS = 3_600_000;
const catalogue = { find: () => undefined };

describe('the webhook secret of an integration', () => {
  const one = canary('webhook secret');
  const two = canary('second webhook secret');
  const three = canary('third webhook secret');
  let clock: TestClock;
  let client: ClientApp;

  beforeEach(() => {
    clock = new TestClock();
    client = changedClient({ scopes: [] }, { webhook_secret: one }, clock.now());
  });

  const change = (webhook_secret: string | undefined) => {
    client = changedClient(client, { webhook_secret }, clock.now());
  };
  const inForce = () =>
    webhookSecretsOf({ catalogue, clock }, { provider: 'acme', client, integrationConfig: {} }).map((set) => set.webhookSecret);

  it('is the only one until it is changed', () => {
    expect(inForce()).to.deep.equal([one]);
  });

  it('is valid for 24 hours after it was changed, beside the new one', async () => {
    change(two);
    await clock.advance(24 * HOUR_MS - 1_000);
    expect(inForce()).to.deep.equal([two, one]);
    await clock.advance(1_000);
    expect(inForce()).to.deep.equal([two]);
  });

  it('ends at once when it is cleared, and so does the previous one', () => {
    change(two);
    change('');
    expect(inForce()).to.deep.equal([undefined]);
    change(three);
    expect(inForce()).to.deep.equal([three]);
  });

  it('ends with the second change, because only one previous secret is valid', () => {
    change(two);
    change(three);
    expect(inForce()).to.deep.equal([three, two]);
  });

  it('does not stay valid for longer because a value is set again', async () => {
    change(two);
    await clock.advance(23 * HOUR_MS);
    change(two);
    change(undefined);
    expect(inForce()).to.deep.equal([two, one]);
    await clock.advance(HOUR_MS);
    expect(inForce()).to.deep.equal([two]);
    change(undefined);
    expect(JSON.stringify(client)).not.to.include(one);
  });

  it('is listed with the client of the integration or of the shared app', () => {
    const sharedApp = { clientId: 'shared', clientSecret: canary('secret of a shared app'), scopes: [] };
    const shared = {
      find: () => ({
        slug: 'acme',
        directory: '/',
        proof: { level: 0 as const, at: null },
        definition: { display_name: 'A', docs: 'https://a.example', auth_mode: 'OAUTH2' as const },
        sharedApp,
      }),
    };
    const integration = { provider: 'acme', client, integrationConfig: { region: 'eu' } };
    expect(webhookSecretsOf({ catalogue: shared, clock }, integration)).to.deep.equal([
      { clientId: 'shared', clientSecret: sharedApp.clientSecret, webhookSecret: one, config: { region: 'eu' } },
    ]);
    expect(webhookSecretsOf({ catalogue, clock }, integration)).to.deep.equal([
      { clientId: undefined, clientSecret: undefined, webhookSecret: one, config: { region: 'eu' } },
    ]);
  });

  describe('changed through the API', function () {
    const app = use(this, startApp);
    const KEY = 'rotated';
    const patch = (webhook_secret: string) => app.api.patch(`/integrations/${KEY}`, { credentials: { webhook_secret } });

    before(async () => {
      await app.api.post('/integrations', { unique_key: KEY, provider: 'github', credentials: { webhook_secret: one } });
    });

    const stored = async () => {
      const { environment_id } = await app.database.db('integrations').where({ unique_key: KEY }).first('environment_id');
      const integration = await integrationByKey(app.services, environment_id, KEY);
      if (integration === undefined) throw new Error('the integration is gone');
      return webhookSecretsOf({ catalogue, clock: app.clock }, integration).map((set) => set.webhookSecret);
    };

    it('keeps the previous secret for a day, never shows it, and stores it encrypted', async () => {
      expect((await patch(two)).status).to.equal(200);
      expect(await stored()).to.deep.equal([two, one]);
      const responses = [
        await patch(two),
        await app.api.get(`/integrations/${KEY}?include=credentials`),
        await app.api.get('/integrations'),
      ];
      expect(responses[1]?.body.data.credentials.webhook_secret).to.equal(two);
      for (const { body } of responses) expect(JSON.stringify(body)).not.to.include(one).and.not.to.include('previous');
      const [row] = await app.database.db('integrations').where({ unique_key: KEY });
      expect(sweep({ row: JSON.stringify(row), client: row.client })).to.deep.equal([]);
      await app.clock.advance(24 * HOUR_MS);
      expect(await stored()).to.deep.equal([two]);
    });

    it('ends both secrets when it is cleared', async () => {
      await patch(three);
      await patch('');
      expect(await stored()).to.deep.equal([undefined]);
    });
  });
});
