import { expect } from 'chai';
import { KeyRing, versionOf } from '../../core/kit/key-ring.ts';
import { finishUpgrade } from '../../core/operate/finish-upgrade.ts';
import { createKey } from '../../core/tenants/api-keys/api-keys.ts';
import type { TestApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { type Connected, connect, connectAgain, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { storeMessage } from '../support/stored-messages.ts';
import { use } from '../support/use.ts';

const MIGRATION = { name: '0023_row_authentication' };

describe('an update from the release without proofs', function () {
  const installation = use(this, () => Installation.open());
  const provider = use(this, startFakeProvider);
  let connected: Connected;
  let app: TestApp;
  let secret: string;
  before(async () => {
    app = await installation.startApp();
    connected = await connect(app, provider);
    const input = { name: 'old', scopes: ['environment:connections:list'] };
    ({ secret } = await createKey(app.services, { accountId: 1, environmentId: 1 }, input));
    rememberSecret('API key', secret);
    await makeOld(installation);
    app = await installation.startApp();
  });
  const list = async () => (await app.client(secret).get('/connections')).status;
  const versions = async () => (await installation.db('connections').pluck('credentials')).map(versionOf);
  const migratedBefore = (hours: number) =>
    installation
      .db('schema_migrations')
      .where(MIGRATION)
      .update({ applied_at: installation.db.raw(`now() - ? * interval '1 hour'`, [hours]) });
  /** Whether the messages so far refer to their payloads, after one more. */
  const refer = async (): Promise<boolean[]> => {
    const id = await storeMessage(app, { payload: { environmentId: 1, text: '{"sum":1.0}' } });
    expect((await app.api.get(`/webhook-messages/${id}`)).text).to.contain(',"payload":{"type":"auth","payload":{"sum":1.0}}');
    return (await installation.db('webhook_messages').orderBy('id')).map(({ payload_id }) => payload_id !== null);
  };
  const forgetProof = () => installation.db('api_keys').where({ name: 'old' }).update({ mac: null });

  it('takes what that release wrote, and for an hour writes what it can read', async () => {
    expect(await list()).to.equal(200);
    expect((await readConnection(app, connected)).status).to.equal(200);
    expect((await readConnection(app, connected, '&force_refresh=true')).status).to.equal(200);
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
    await connectAgain(app);
    expect(await versions()).to.deep.equal([1, 1]);
    expect(await refer()).to.deep.equal([false]);
  });

  it('does not end while the release before may still run', async () => {
    await finishUpgrade(app.services);
    expect(await versions()).to.deep.equal([1, 1]);
    await forgetProof();
    expect(await list()).to.equal(200);
  });

  it('ends with everything in the new form, and nothing lost', async () => {
    await migratedBefore(2);
    app = await installation.startApp();
    await finishUpgrade(app.services);
    expect(await versions()).to.deep.equal([2, 2]);
    expect(await refer()).to.deep.equal([false, true]);
    for (const table of ['api_keys', 'integrations']) expect(await installation.db(table).whereNull('mac')).to.deep.equal([]);
    for (const restarted of [app, await installation.startApp()]) {
      app = restarted;
      expect(await list()).to.equal(200);
      expect((await readConnection(app, connected, '&force_refresh=true')).status).to.equal(200);
      expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
    }
  });

  it('is over for good: nothing of the old form is taken, even if the time of the migration is changed', async () => {
    await migratedBefore(0);
    await forgetProof();
    app = await installation.startApp();
    expect(await list()).to.equal(401);
    await makeConnectionsOld(installation);
    expect((await readConnection(app, connected)).status).to.equal(500);
  });
});

/** As the release before left it. */
async function makeOld(installation: Installation): Promise<void> {
  const { db } = installation;
  await makeConnectionsOld(installation);
  for (const table of ['api_keys', 'integrations']) await db(table).update({ mac: null });
  const canary = ringOf(installation).encrypt('svc', {
    table: 'encryption_keys',
    column: 'canary',
    environmentId: 0,
    rowId: 0,
  });
  await db('encryption_keys').update({ canary });
  await db('schema_migrations').where(MIGRATION).update({ applied_at: db.fn.now() });
}

async function makeConnectionsOld(installation: Installation): Promise<void> {
  const keys = ringOf(installation);
  for (const { id, environment_id, integration_id, credentials } of await installation.db('connections').select('*')) {
    const place = { table: 'connections', column: 'credentials', environmentId: environment_id, rowId: id };
    const plain = keys.decrypt(credentials, { ...place, boundTo: `integration ${integration_id}` });
    await installation
      .db('connections')
      .where({ id })
      .update({ credentials: keys.encrypt(plain, place) });
  }
}

function ringOf({ env }: Installation): KeyRing {
  return KeyRing.parse(env['SVC_ENCRYPTION_KEYS'] ?? '');
}
