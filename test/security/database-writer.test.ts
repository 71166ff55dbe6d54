import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { hashSecret, newApiKey } from '../../core/kit/random-id.ts';
import { openWebhook, sealWebhook, webhookText } from '../../core/scripts/webhook-content.ts';
import { createKey, revoke } from '../../core/tenants/api-keys/api-keys.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createIntegration, readConnection, throughProxy } from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { storeMessages } from '../support/stored-messages.ts';
import { use } from '../support/use.ts';

const OWNER = { accountId: 1, environmentId: 1 };
const LIST = ['environment:connections:list'];
/** Longer than integrations and connections are cached. */
const CACHE_MS = 11_000;

describe('CRY-02: a writer of the database without its keys', function () {
  const setup = use(this, () => ConnectedInstallation.open());
  const stranger = use(this, () => startFakeProvider({ openApi: true }));
  const list = async (secret: string) => (await setup.app.client(secret).get('/connections')).status;
  const newKey = async () => {
    const key = await createKey(setup.app.services, OWNER, {
      name: randomUUID(),
      scopes: LIST,
      expiresAt: new Date('2099-01-01'),
    });
    rememberSecret('API key', key.secret);
    return key;
  };

  for (const [mac, why] of [
    ['mac', 'not with the HMAC of another one'],
    [String.raw`'\x'::bytea`, 'since it has no HMAC'],
  ]) {
    it(`creates no API key, ${why}`, async () => {
      const secret = rememberSecret('API key', newApiKey());
      await setup.installation.db.raw(
        `insert into api_keys (account_id, environment_id, name, secret_hash, last4, scopes, mac)
         select account_id, environment_id, ?, ?, last4, scopes, ${mac} from api_keys where environment_id = 1 limit 1`,
        [randomUUID(), hashSecret(secret)],
      );
      expect(await list(secret)).to.equal(401);
    });
  }

  for (const [what, change] of Object.entries({
    'more scopes': { scopes: ['environment:*'] },
    'the other plane': { environment_id: null },
    'a later end': { expires_at: new Date('2100-01-01') },
    'no HMAC': { mac: Buffer.alloc(0) },
  })) {
    it(`gives an API key ${what} in vain`, async () => {
      const { id, secret } = await newKey();
      await setup.installation.db('api_keys').where({ id }).update(change);
      expect(await list(secret)).to.equal(401);
    });
  }

  it('restores no revoked API key', async () => {
    const { id, secret } = await newKey();
    expect(await list(secret)).to.equal(200);
    await revoke(setup.app.services, { id, environmentId: OWNER.environmentId });
    await setup.installation.db('api_keys').where({ id }).update({ revoked_at: null });
    await setup.app.clock.advance(CACHE_MS);
    expect(await list(secret)).to.equal(401);
  });

  describe('points an integration at the writer’s host', () => {
    const strangeConfig = () => ({ api_base_url: `${stranger.url}/api`, refresh_url: stranger.tokenUrl });
    for (const [what, change] of Object.entries({
      'and nothing is sent there': () => ({ integration_config: { ...strangeConfig(), token_url: stranger.tokenUrl } }),
      'by another provider, and nothing is sent there': () => ({
        integration_config: strangeConfig(),
        provider: 'unauthenticated',
      }),
      'without HMAC, and nothing is sent there': () => ({ integration_config: strangeConfig(), mac: Buffer.alloc(0) }),
    })) {
      it(what, async () => {
        const before = await setup.installation.db('integrations').where({ unique_key: 'fake' }).first('*');
        await setup.installation.db('integrations').where({ id: before.id }).update(change());
        await setup.app.clock.advance(CACHE_MS);
        expect((await throughProxy(setup.app, setup.connected, { path: '/me' })).status).to.equal(500);
        expect((await setup.read('&force_refresh=true')).status).to.equal(500);
        expect((await setup.app.api.get('/integrations/fake')).status).to.equal(500);
        expect(stranger.ledger.entries).to.deep.equal([]);
        await setup.installation.db('integrations').where({ id: before.id }).update(before);
        await setup.app.clock.advance(CACHE_MS);
        expect((await throughProxy(setup.app, setup.connected, { path: '/me' })).status).to.equal(200);
      });
    }
  });

  it('moves no credentials to an integration that the writer controls', async () => {
    const key = await createIntegration(setup.app, stranger, { key: 'strange' });
    const { id } = await setup.installation.db('integrations').where({ unique_key: key }).first('id');
    const moved = { ...setup.connected, key };
    const row = () => setup.installation.db('connections').where({ connection_id: setup.connected.connectionId });
    const { integration_id: home } = await row().first('integration_id');
    await row().update({ integration_id: id });
    expect((await throughProxy(setup.app, moved, { path: '/me' })).status).to.equal(500);
    expect((await readConnection(setup.app, moved)).status).to.equal(500);
    expect(stranger.ledger.entries).to.deep.equal([]);
    await row().update({ integration_id: home });
  });

  it('cannot swap the payloads of messages', async () => {
    const { db } = setup.installation;
    const payloads = ['"mine"', '"yours"'].map((text) => ({ environmentId: 1, text }));
    const ids = await storeMessages(setup.app, ...payloads.map((payload) => ({ payload })));
    const rows = await db('webhook_messages').whereIn('message_id', ids).orderBy('id');
    const shown = async () => Promise.all(ids.map(async (id) => (await setup.app.api.get(`/webhook-messages/${id}`)).status));
    expect(await shown()).to.deep.equal([200, 200]);
    for (const [at, row] of rows.entries())
      await db('webhook_messages')
        .where({ id: row.id })
        .update({ payload_id: rows[1 - at].payload_id });
    expect(await shown()).to.deep.equal([500, 500]);
  });

  it('cannot hand the webhook of one connection to the script of another', () => {
    const { keys } = setup.app.services;
    const webhook = { type: 'created', headers: {}, verified: true, payload: {} };
    const text = webhookText({ type: 'created', headers: {}, verified: true }, { environmentId: 1, text: '{}' });
    const sealed = sealWebhook(keys, { environmentId: 1, connection: 1 }, text);
    expect(openWebhook(keys, { environmentId: 1, connection: 1 }, sealed)).to.deep.equal(webhook);
    expect(() => openWebhook(keys, { environmentId: 1, connection: 2 }, sealed)).to.throw();
  });
});
