import { expect } from 'chai';
import { findConnection, insertConnection } from '../../../../core/connections/connection-store.ts';
import { expectHandshake, keepHandshakeSecret } from '../../../../core/connections/handshake-secret-store.ts';
import { insertIntegration } from '../../../../core/connections/integrations/integration-store.ts';
import { webhookTagKey } from '../../../../core/connections/integrations/webhook-address.ts';
import { createPublisher } from '../../../../core/db/notices.ts';
import { withTransaction } from '../../../../core/db/transaction.ts';
import { insertEntry } from '../../../../core/demo-provider/inbox-store.ts';
import { KeyRing } from '../../../../core/kit/key-ring.ts';
import { rotateKeys } from '../../../../core/operate/keys/rotate.ts';
import { whileRotating } from '../../../../core/operate/keys/rotation-lock-store.ts';
import { ALL_SEALED } from '../../../../core/operate/keys/sealed-columns.ts';
import { keyStatus } from '../../../../core/operate/keys/status.ts';
import { insertQueuedScripts } from '../../../../core/scripts/script-queue-store.ts';
import { sealWebhook } from '../../../../core/scripts/webhook-content.ts';
import { setHmacKey } from '../../../../core/tenants/api-keys/public-key-store.ts';
import { readVariables, setVariable } from '../../../../core/tenants/environments/variables.ts';
import { keepLogin } from '../../../../core/tenants/environments/webhook-login.ts';
import { rotateWebhookSecret, signingSecrets } from '../../../../core/tenants/environments/webhook-secret.ts';
import { makePasswordToken } from '../../../../core/tenants/members/member-links.ts';
import { storePayloads } from '../../../../core/webhook-delivery/payload.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import { canary, rememberSecret } from '../../../support/canaries.ts';
import { connectUrl, createSession, mustBe } from '../../../support/connect.ts';
import { withPassword, withTotp } from '../../../support/dashboard/factors.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { newServiceEnv } from '../../../support/service-env.ts';
import { storeIntegration, storeReceiver } from '../../../support/stored.ts';
import { storeChoosingFlow } from '../../../support/stored-flow.ts';
import { useEach } from '../../../support/use.ts';

const ENVIRONMENT = 1;
const SERVICE = newServiceEnv();
const KEYS = { old: newServiceEnv().SVC_ENCRYPTION_KEYS, new: newServiceEnv().SVC_ENCRYPTION_KEYS.replace('k1:', 'k2:') };
const SILENT = { onStep: () => undefined, onProgress: () => undefined };

describe('CRY-05 a rotation of the encryption keys', function () {
  this.timeout(60_000);
  const database = useEach(this, cloneDatabase);
  const start = (keys: string) => startApp({ env: { ...SERVICE, SVC_ENCRYPTION_KEYS: keys }, database });
  const deps = () => ({
    db: database.db,
    keys: KeyRing.parse(`${KEYS.new},${KEYS.old}`),
    notices: createPublisher(),
    keyFile: undefined,
  });

  /** Fills the database through an instance that then ends. The test `faults/key-rotation` rotates keys while instances run. */
  async function fillDatabase(): Promise<void> {
    await using app = await start(`${KEYS.old},${KEYS.new}`);
    await fill(app);
  }

  it('re-encrypts every column that holds encrypted values', async () => {
    await fillDatabase();
    const { resealed, unreadable, retired } = await rotateKeys(deps(), SILENT);
    expect(Object.keys(resealed)).to.have.members(ALL_SEALED.map(({ table, column }) => `${table}.${column}`));
    expect([unreadable, retired]).to.deep.equal([{}, ['k1']]);
    const status = await keyStatus(deps());
    expect(
      status.map(({ id, values, encrypts, mayBeDropped }) => ({ id, isNeeded: values > 0, encrypts, mayBeDropped })),
    ).to.deep.equal([
      { id: 'k2', isNeeded: true, encrypts: true, mayBeDropped: false },
      { id: 'k1', isNeeded: false, encrypts: false, mayBeDropped: true },
    ]);
  });

  it('leaves only values that the new key opens, so that a second rotation finds nothing to do', async () => {
    await fillDatabase();
    await rotateKeys(deps(), SILENT);
    expect((await rotateKeys(deps(), SILENT)).resealed).to.deep.equal({});
    await using later = await start(KEYS.new);
    const { db, keys } = later.services;
    expect(await readVariables({ db, keys }, ENVIRONMENT)).to.deep.equal([{ name: 'NAME', value: 'value' }]);
    expect(await signingSecrets({ db, keys }, ENVIRONMENT))
      .to.have.property('old')
      .that.is.an('object');
    const address = { environmentId: ENVIRONMENT, providerConfigKey: 'secretive', connectionId: 'one' };
    expect((await findConnection({ db, keys }, address))?.secretConfig).to.deep.equal({ secret: 'in connection' });
    expect((await later.api.get('/connections')).status).to.equal(200);
  });

  it('keeps a value that it cannot decrypt, and creates no MAC for a row whose MAC is wrong', async () => {
    await fillDatabase();
    const { db } = database;
    const forged = { integration_config: { api_base_url: 'https://elsewhere.example' } };
    await db('integrations').where({ unique_key: 'secretive' }).update(forged);
    const connection = () => db('connections').where({ connection_id: 'one' });
    await connection().update({ credentials: db.raw('set_byte(credentials, 40, 255 - get_byte(credentials, 40))') });
    const broken = await connection().first('credentials');
    const { unreadable } = await rotateKeys(deps(), SILENT);
    expect(unreadable).to.deep.equal({ 'integrations.mac': 1, 'connections.credentials': 1 });
    expect(await connection().first('credentials')).to.deep.equal(broken);
    const old = (await keyStatus(deps())).find(({ id }) => id === 'k1');
    expect(old).to.deep.include({ neededBy: unreadable, mayBeDropped: false });
  });

  it('is refused while another rotation runs', async () => {
    await whileRotating(database.db, async () => {
      const refused = await rotateKeys(deps(), SILENT).then(String, String);
      expect(refused).to.contain('another `keys rotate` or an import is running');
    });
  });

  it('is refused while an instance lacks the new key, and retires no key', async () => {
    await using app = await start(`${KEYS.old},${KEYS.new}`);
    const third = newServiceEnv().SVC_ENCRYPTION_KEYS.replace('k1:', 'k3:');
    const keys = KeyRing.parse(`${third},${KEYS.old}`);
    const refused = await rotateKeys({ ...deps(), keys }, SILENT).then(String, String);
    expect(refused).to.match(/these instances do not have the key "k3": [-0-9a-f]{36}; restart them with all keys/);
    expect(app.services.keys.currentKeyId).to.equal('k1');
    const known = await app.services.db('encryption_keys').select('key_id', 'retired_at');
    expect(known).to.deep.equal([{ key_id: 'k1', retired_at: null }]);
  });

  it('is refused with the old key first, and the new one is not called removable', async () => {
    await fillDatabase();
    const keys = KeyRing.parse(`${KEYS.old},${KEYS.new}`);
    const status = await keyStatus({ ...deps(), keys });
    expect(status.map(({ id, mayBeDropped }) => [id, mayBeDropped])).to.deep.equal([
      ['k1', false],
      ['k2', false],
    ]);
    const refused = await rotateKeys({ ...deps(), keys }, SILENT).then(String, String);
    expect(refused).to.contain('nothing to do: "k1" encrypts everything already; put the new key first (k2 was never used)');
  });

  it('is refused with one key in the variable, because there is no key to rotate to', async () => {
    const refused = await rotateKeys({ ...deps(), keys: KeyRing.parse(KEYS.old) }, SILENT).then(String, String);
    expect(refused).to.contain('put a new key before it');
  });
});

/** Writes at least one value into every column that holds encrypted values. */
async function fill(app: TestApp): Promise<void> {
  const { services, api } = app;
  const { db, keys } = services;
  await withTotp(app);
  const { ui, member } = await withPassword(app);
  await ui.post('/api/ui/me/factors/totp');
  rememberSecret('link', await makePasswordToken(services, { accountId: app.accountId, memberId: member.id }));
  await rotateWebhookSecret(services, ENVIRONMENT);
  await webhookTagKey(services, ENVIRONMENT);
  await setHmacKey(services, ENVIRONMENT, canary('HMAC key'));
  await setVariable(services, ENVIRONMENT, { name: 'NAME', value: 'value' });
  const integration = await insertIntegration(services, {
    environmentId: ENVIRONMENT,
    uniqueKey: 'secretive',
    provider: 'generic-oauth',
    displayName: 'Secretive',
    forwardWebhooks: true,
    client: { scopes: [] },
    integrationConfig: { secret: 'in integration' },
    secretConfig: { secret: 'in integration' },
  });
  const connectionId = await insertConnection(services, {
    environmentId: ENVIRONMENT,
    integrationId: integration?.id ?? 0,
    connectionId: 'one',
    credentials: { type: 'API_KEY', apiKey: canary('API key') } as never,
    connectionConfig: { secret: 'in connection' },
    secretConfig: { secret: 'in connection' },
    tags: {},
    endUser: null,
    webhookUrlOverride: null,
    clientFingerprint: null,
    providerAccount: { id: 'account' },
  });
  await keepLogin(services, { environmentId: ENVIRONMENT, of: 'environment', url: 'https://jane:secret@app.example/hook' });
  const address = { environmentId: ENVIRONMENT, integrationId: integration?.id ?? 0, connectionId: 'one' };
  await expectHandshake(db, { id: connectionId ?? 0, environmentId: ENVIRONMENT });
  await keepHandshakeSecret(services, address, canary('handshake secret'));
  const key = await storeIntegration(api, 'one');
  await storeChoosingFlow(app, { api, environmentId: ENVIRONMENT, key });
  const token = await createSession({ url: app.url, api });
  await fetch(connectUrl(app, { key, token }), { redirect: 'manual' });
  mustBe(201, await api.call('POST', '/connect/sessions', { headers: { 'idempotency-key': 'once' }, body: {} }));
  await insertEntry(app.services, ENVIRONMENT, { headers: {}, payload: {}, bytes: 2, isSignatureValid: true });
  await storeReceiver(api, 'receiver');
  const { data } = (await api.get('/integrations/receiver?include=webhook')).body;
  mustBe(200, await app.client().post(new URL(data.webhook_url).pathname, { triggerEvent: 'PING' }));
  await db('environments').update({ webhook_url: 'https://app.example/hook' });
  mustBe(200, await api.post('/webhook-messages/test', { type: 'auth' }));
  const source = 'export default async () => {};';
  mustBe(200, await api.put(`/integrations/${key}/scripts/post-connection-creation`, { source, language: 'javascript' }));
  await withTransaction(db, async (trx) => {
    await storePayloads(keys, trx, [{ environmentId: ENVIRONMENT, text: '{}' }]);
    const webhook = sealWebhook(keys, { environmentId: ENVIRONMENT, connection: connectionId ?? 0 }, '{}');
    await insertQueuedScripts(trx, [
      { environment_id: ENVIRONMENT, connection_id: connectionId ?? 0, webhook, payload_id: null, trace_context: null },
    ]);
  });
}
