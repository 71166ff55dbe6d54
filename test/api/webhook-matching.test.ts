import { expect } from 'chai';
import { registeredAddress, webhookTagKey } from '../../core/connections/integrations/webhook-address.ts';
import { describeDatabaseFault } from '../../core/db/database-fault.ts';
import { matchDeliveries } from '../../core/webhook-ingress/match-worker.ts';
import type { TestApp } from '../support/app.ts';
import { type Hook, hmacHex, hookSender } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { use } from '../support/use.ts';

describe('the connection that a webhook is for', function () {
  const hooked = use(this, () => HookedApp.open({ env: { SVC_CLIENT_PREFIX: 'acme' } }));
  let app: TestApp;
  let hook: Hook;
  let open: Hook;

  before(() => {
    ({ app, hook, open } = hooked);
  });

  const KEYS: Record<string, { metadata?: object; config?: object; key: object }> = {
    'its metadata': { metadata: { team: 'T1' }, key: { by: 'metadata', field: 'team', value: 'T1' } },
    'a number in its metadata': { metadata: { team: 17 }, key: { by: 'metadata', field: 'team', value: '17' } },
    'a list in its metadata': { metadata: { ids: [3, 4] }, key: { by: 'metadataContains', field: 'ids', value: '4' } },
    'its configuration': { config: { portal: 'p9' }, key: { by: 'connectionConfig', field: 'portal', value: 'p9' } },
    'the origin of its address': {
      config: { baseUrl: 'https://Acme.example:443/jira/' },
      key: { by: 'connectionConfig', field: 'baseUrl', value: 'https://acme.example/rest/api/2/issue/1', as: 'origin' },
    },
  };
  for (const [name, { metadata = {}, config = {}, key }] of Object.entries(KEYS)) {
    it(`is found by ${name}, within the integration only`, async () => {
      const own = await hooked.store({ metadata, config });
      await hooked.store({ metadata, config, key: open.key });
      const sent = await hooked.forwards(() => hooked.deliver({ keys: [key] }));
      expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal([own]);
    });
  }

  it('is not found by an address that only begins with its own', async () => {
    await hooked.store({ config: { baseUrl: 'https://begin.example.org' } });
    const key = { by: 'connectionConfig', field: 'baseUrl', value: 'https://begin.example', as: 'origin' };
    const sent = await hooked.forwards(() => hooked.deliver({ keys: [key] }));
    expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal([null]);
  });

  it('is found by the first key that finds one', async () => {
    const [one, two] = [await hooked.store({ metadata: { site: 'one' } }), await hooked.store({ metadata: { site: 'two' } })];
    const keys = ['none', 'two', 'one'].map((value) => ({ by: 'metadata', field: 'site', value }));
    const sent = await hooked.forwards(() => hooked.deliver({ keys }));
    expect(sent.map(({ connectionId }) => connectionId))
      .to.deep.equal([two])
      .and.to.not.include(one);
  });

  it('gets its own forward for each event, even if several connections are found', async () => {
    const ids = [await hooked.store({ metadata: { shared: 'yes' } }), await hooked.store({ metadata: { shared: 'yes' } })];
    const keys = [{ by: 'metadata', field: 'shared', value: 'yes' }];
    const sent = await hooked.forwards(() =>
      hooked.deliver({ events: [{ type: 'a', keys }, { type: 'b', keys }, { type: 'c' }] }),
    );
    expect(sent.map(({ connectionId, body }) => [connectionId, body.payload.type])).to.deep.equal([
      ...ids.map((id) => [id, 'a']),
      ...ids.map((id) => [id, 'b']),
      [null, 'c'],
    ]);
  });

  it('is not found by values that are missing or that the database cannot store', async () => {
    await hooked.store({ metadata: { empty: '' } });
    const strange = ['\u0000', '\ud800', '', null, 7, {}].map((value) => ({ by: 'metadata', field: 'empty', value }));
    const sent = await hooked.forwards(() => hooked.deliver({ keys: strange }));
    expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal([null]);
  });

  it('must be the same for all keys if the provider requires that, or the response is 400', async () => {
    const [one, two] = [await hooked.store({ metadata: { site: 'a1' } }), await hooked.store()];
    const byId = (value: string) => ({ by: 'connectionId', value });
    const agreeing = [byId(one), { by: 'metadata', field: 'site', value: 'a1' }];
    expect((await hooked.deliver({ agree: true, keys: agreeing })).status).to.equal(200);
    for (const keys of [
      [byId(one), byId(two)],
      [byId('x'), byId('y')],
      [byId(two), { by: 'metadata', field: 'site', value: 'a1' }],
    ]) {
      const sent = await hooked.forwards(async () => {
        const { status, body } = await hooked.deliver({ agree: true, keys });
        expect([status, body.error.code]).to.deep.equal([400, 'webhook_invalid_payload']);
      });
      expect(sent).to.deep.equal([]);
    }
  });

  it('gets a delivery that is signed with its own secret, and no other connection does', async () => {
    const own = await hooked.store({ metadata: { room: 'r1', hookSecret: 'the one' } });
    await hooked.store({ metadata: { room: 'r1', hookSecret: 'not this' } });
    const body = JSON.stringify({ keys: [{ by: 'metadata', field: 'room', value: 'r1' }] });
    const sent = await hooked.forwards(() =>
      hookSender(app.client(), hook)(body, { headers: { 'x-hook-own': hmacHex('the one', body) } }),
    );
    expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal([own]);
  });

  it('is found for an event whose type no column can store or is very long', async () => {
    const own = await hooked.store({ metadata: { site: 'named' } });
    const keys = [{ by: 'metadata', field: 'site', value: 'named' }];
    const names = ['a\u0000b', '\ud800', 'n'.repeat(1_000_000)];
    const sent = await hooked.forwards(async () => {
      for (const type of names) expect((await hooked.deliver({ type, keys })).status).to.equal(200);
    });
    expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal([own, own, own]);
    expect(
      sent.map(({ body }) => body.payload.type),
      'passed on as it came',
    ).to.deep.equal(names);
    const [longest] = await app.services.db('webhook_messages').max({ length: app.services.db.raw('length(operation)') });
    expect(longest?.length).to.be.at.most(300);
  });

  it('gets a delivery to its own address, even if the same ID came to another address', async () => {
    const ids = [await hooked.store({ metadata: { site: 'both' } }), await hooked.store({ metadata: { site: 'both' } })];
    const key = (await webhookTagKey(app.services, 1)) ?? '';
    const keys = [{ by: 'metadata', field: 'site', value: 'both' }];
    const address = { baseUrl: 'http://any.example', environmentUuid: hooked.uuid, integrationKey: hook.key };
    const sent = await hooked.forwards(async () => {
      for (const connectionId of [...ids, ...ids]) {
        const query = new URL(registeredAddress(key, { ...address, connectionId })).search;
        await hooked.deliver({ keys }, { query, headers: { 'x-hook-id': 'one for all' } });
      }
    });
    expect(sent.map(({ connectionId }) => connectionId)).to.deep.equal(ids);
  });

  it('is not searched by thousands of names before anything is verified', async () => {
    const events = Array.from({ length: 5_000 }, (_, number) => ({ keys: [{ by: 'connectionId', value: `n${number}` }] }));
    let queries = 0;
    const count = () => {
      queries += 1;
    };
    app.services.db.on('query', count);
    expect((await hooked.deliver({ events }, { headers: { 'x-hook-own': '00' } })).status).to.equal(401);
    app.services.db.removeListener('query', count);
    expect(queries).to.be.within(100, 200);
  });

  it('JOB-01: is found even if another delivery always takes the database too long', async () => {
    const { db } = app.services;
    await db.raw(`
      create function refuse_slow() returns trigger language plpgsql as $$ begin
        if new.operation = 'slow' then raise 'too slow' using errcode = '57014'; end if; return new; end $$;
      create trigger slow before insert on webhook_messages for each row execute function refuse_slow()`);
    const sent = await hooked.forwards(async () => {
      for (const type of ['slow', 'quick', 'quick']) await hooked.deliver({ type });
      const fault = await matchDeliveries(app.services).catch((error: unknown) => error);
      expect(describeDatabaseFault(fault), 'so that it is tried again soon').to.have.property('code', 'storage_unavailable');
      expect(await db('webhook_deliveries').pluck('id')).to.have.lengthOf(1);
      await db.raw('drop function refuse_slow cascade');
    });
    expect(sent.map(({ body }) => body.payload.type)).to.deep.equal(['quick', 'quick', 'slow']);
  });
});
