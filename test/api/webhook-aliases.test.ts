import { expect } from 'chai';
import { registeredAddress, webhookTagKey } from '../../core/connections/integrations/webhook-address.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { cloneDatabase } from '../support/database.ts';
import {
  createHook,
  firstEnvironmentUuid,
  type Hook,
  hookSender,
  makeHooked,
  matchAll,
  type Sending,
} from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { storeConnection, storeTenant } from '../support/stored.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

interface Delivered extends Sending {
  readonly body?: object;
  /** The instance that receives the delivery. */
  readonly at?: TestApp;
}

describe('the webhook address of an integration that is renamed', function () {
  const hooked = use(this, makeHooked);
  const database = use(this, cloneDatabase);
  const serviceEnv = { ...newServiceEnv(), SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' };
  const start = () => startApp({ env: { ...serviceEnv, ...hooked.env }, database });
  const app = use(this, start);
  const other = use(this, start);
  let uuid: string;
  let made = 0;

  before(async () => {
    uuid = await firstEnvironmentUuid(app);
    await enableWebhooks(app.services.db);
  });

  /** Creates an integration with a unique key. */
  function create(): Promise<Hook> {
    made += 1;
    return createHook(app.api, uuid, { key: `hook-${made}` });
  }

  async function rename(from: string, to: string): Promise<void> {
    const { status, text } = await app.api.patch(`/integrations/${from}`, { unique_key: to });
    expect(status, text).to.equal(200);
  }

  /**
   * Sends a delivery to the address that the provider knows.
   *
   * @returns the status of the response, and the integration and connection of each forward
   */
  async function deliver(hook: Hook, { at = app, body, ...sending }: Delivered = {}) {
    const before = (await matchAll(app)).length;
    const { status } = await hookSender(client(at.url), hook)({ at: performance.now(), ...body }, sending);
    return { status, sent: (await matchAll(app)).slice(before).map((one) => [one.body.providerConfigKey, one.connectionId]) };
  }

  it('still accepts deliveries, for the renamed integration and its connections', async () => {
    const hook = await create();
    const { connectionId } = await storeConnection(app, { key: hook.key });
    await rename(hook.key, `${hook.key}-new`);
    const keys = [{ by: 'connectionId', value: connectionId }];
    expect(await deliver(hook, { body: { keys } })).to.deep.equal({ status: 200, sent: [[`${hook.key}-new`, connectionId]] });
    expect((await deliver({ ...hook, path: `${hook.path}-new` })).status).to.equal(200);
    expect((await deliver({ ...hook, secret: 'another secret' })).status).to.equal(401);
  });

  it('still accepts deliveries at the address of one connection, and refuses the tag of another', async () => {
    const hook = await create();
    const { connectionId } = await storeConnection(app, { key: hook.key });
    const tagKey = (await webhookTagKey(app.services, 1)) ?? expect.fail('no key');
    const address = { baseUrl: app.url, environmentUuid: uuid, integrationKey: hook.key, connectionId };
    const { search: query } = new URL(registeredAddress(tagKey, address));
    await app.services
      .db('connections')
      .where({ connection_id: connectionId })
      .update({ subscription: { id: 1 } });
    const keys = [{ by: 'connectionId', value: connectionId }];
    for (const to of [`${hook.key}-b`, `${hook.key}-c`]) {
      await rename(to.endsWith('b') ? hook.key : `${hook.key}-b`, to);
      expect(await deliver(hook, { query, body: { keys } })).to.deep.equal({ status: 200, sent: [[to, connectionId]] });
    }
    expect((await deliver(hook, { query: query.replace(connectionId, 'another'), body: { keys } })).status).to.equal(401);
    expect((await deliver({ ...hook, path: `${hook.path}-c` }, { query, body: { keys } })).status).to.equal(401);
  });

  it('works under each key that the integration had, on every instance, also when it is renamed back', async () => {
    const hook = await create();
    const keys = [hook.key, `${hook.key}-b`, `${hook.key}-c`, hook.key];
    for (const [at, key] of keys.entries()) {
      if (at > 0) await rename(keys[at - 1] ?? '', key);
      for (const known of keys.slice(0, at + 1)) {
        const path = `/webhook/${uuid}/${known}`;
        for (const instance of [app, other])
          expect(await deliver({ ...hook, path }, { at: instance }), `${known} of ${key}`).to.deep.equal({
            status: 200,
            sent: [[key, null]],
          });
      }
    }
  });

  it('belongs to an integration that gets the key later, and ends with that integration', async () => {
    const hook = await create();
    await rename(hook.key, `${hook.key}-new`);
    const second = await createHook(app.api, uuid, { key: hook.key });
    expect(await deliver(second)).to.deep.equal({ status: 200, sent: [[hook.key, null]] });
    expect((await deliver(hook)).status).to.equal(401);
    expect((await app.api.delete(`/integrations/${hook.key}`)).status).to.equal(200);
    for (const ended of [hook, second]) await until('it has ended', async () => (await deliver(ended)).status === 404);
    expect((await deliver({ ...hook, path: `${hook.path}-new` })).status).to.equal(200);
  });

  it('belongs to an integration that is renamed to the key, then to the integration that had it last', async () => {
    const [first, second] = [await create(), await create()];
    await rename(first.key, `${first.key}-new`);
    await rename(second.key, first.key);
    expect(await deliver({ ...second, path: first.path })).to.deep.equal({ status: 200, sent: [[first.key, null]] });
    await rename(first.key, `${second.key}-new`);
    expect(await deliver({ ...second, path: first.path })).to.deep.equal({ status: 200, sent: [[`${second.key}-new`, null]] });
    expect((await deliver(first)).status).to.equal(401);
  });

  it('never belongs to an integration with another key while there is one with this key', async () => {
    const [first, second] = [await create(), await create()];
    const { id } = await app.services.db('integrations').where({ unique_key: second.key }).first('id');
    // The row is inserted directly, because no route lets an integration take a key that is a former key of another one.
    await app.services.db('integration_aliases').insert({ environment_id: 1, unique_key: first.key, integration_id: id });
    expect(await deliver(first)).to.deep.equal({ status: 200, sent: [[first.key, null]] });
  });

  it('exists in its own environment only, and ends with the integration', async () => {
    const hook = await create();
    await rename(hook.key, `${hook.key}-new`);
    const tenant = await storeTenant(app, 'the other');
    const { uuid: foreign } = await app.services.db('environments').where({ id: tenant.environmentId }).first('uuid');
    expect((await deliver({ ...hook, path: `/webhook/${foreign}/${hook.key}` })).status).to.equal(404);
    expect((await deliver(hook)).status).to.equal(200);
    expect((await app.api.delete(`/integrations/${hook.key}-new`)).status).to.equal(200);
    for (const instance of [app, other])
      await until('it is gone', async () => (await deliver(hook, { at: instance })).status === 404);
  });
});
