import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary, sweep } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { createHook, firstEnvironmentUuid, type Hook, hookSender, makeHooked, matchAll } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

const EVENT = 'on-webhook';
const NOTES = `export async function onWebhook(svc, event) { svc.log('got', { event, connection: svc.connectionId }); }`;

describe('a script for webhooks', function () {
  const hooked = use(this, makeHooked);
  const app = use(this, () => startApp({ env: { ...hooked.env, SVC_SCRIPT_TIMEOUT_MS: '5000' } }));
  let hook: Hook;
  let seen = 0;

  before(async () => {
    app.services.scriptQueue.start();
    hook = await createHook(app.api, await firstEnvironmentUuid(app));
    for (const id of ['one', 'two']) mustBe(200, await app.api.post('/connections', importOf(id, { team: 'blue' })));
  });

  const importOf = (id: string, metadata: object) => ({
    provider_config_key: 'hook',
    connection_id: id,
    credentials: { type: 'OAUTH2', access_token: canary('imported token') },
    metadata,
  });
  const blue = [{ by: 'metadata', field: 'team', value: 'blue' }];
  const one = [{ by: 'connectionId', value: 'one' }];

  function subscribe(types: string, source = NOTES): Promise<void> {
    const whole = `export const webhookSubscriptions = ${types};\n${source}`;
    return deploy(app, { event: EVENT, source: whole, key: 'hook' });
  }

  async function send(body: object, signed = true): Promise<void> {
    seen += 1;
    const sender = hookSender(client(app.url), signed ? hook : { ...hook, secret: undefined });
    const response = await sender(body, { headers: { 'x-hook-id': `d-${seen}`, 'x-hook-event': 'what' } });
    mustBe(200, response);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the rows contain whatever a script wrote
  async function handled(): Promise<any[]> {
    await matchAll(app);
    await until('all have run', async () => (await app.database.db('script_queue').first('id')) === undefined);
    const rows = await app.database.db('script_runs').orderBy('started_at').select('*');
    await app.database.db('script_runs').delete();
    return rows;
  }

  it('runs for each connection that an event is for, with the payload of the event', async () => {
    await subscribe(`['changed']`);
    await send({ type: 'changed', keys: blue, what: { deep: [1, null] } });
    const runs = await handled();
    expect(runs.map(({ connection_id: id, status }) => `${id} ${status}`)).to.have.members(['one done', 'two done']);
    const { event, connection } = runs[0].log[0].facts;
    expect(connection).to.equal(runs[0].connection_id);
    expect(event).to.deep.include({ type: 'changed', verified: true });
    expect(event.payload).to.deep.equal({ type: 'changed', keys: blue, what: { deep: [1, null] } });
    expect(event.headers).to.include({ 'x-hook-event': 'what' });
  });

  it('runs for the types that it names and no others', async () => {
    await subscribe(`['changed', 'made']`);
    const types = ['changed', 'gone', 'made', 'chang'];
    await send({ events: [...types.map((type) => ({ type, keys: one })), { keys: one }] });
    expect((await handled()).map(({ log }) => log[0].facts.event.type)).to.have.members(['changed', 'made']);
  });

  it('runs for all with a star, even for events without a type, but for none that matches no connection', async () => {
    await subscribe(`['*']`);
    await send({
      events: [{ type: 'any', keys: one }, { keys: one }, { type: 'any', keys: [{ by: 'connectionId', value: 'none' }] }],
    });
    expect((await handled()).map(({ log }) => log[0].facts.event.type)).to.have.members(['any', '']);
  });

  it('runs once for a delivery that comes twice, and does not run when it is disabled', async () => {
    await subscribe(`['*']`);
    await send({ type: 'a', keys: one });
    seen -= 1;
    await send({ type: 'a', keys: one });
    expect(await handled()).to.have.length(1);
    mustBe(200, await app.api.patch(`/integrations/hook/scripts/${EVENT}`, { enabled: false }));
    await send({ type: 'a', keys: one });
    expect(await handled()).to.have.length(0);
    mustBe(200, await app.api.patch(`/integrations/hook/scripts/${EVENT}`, { enabled: true }));
  });

  it('that fails costs neither the forward nor another connection, and is not run again', async () => {
    await app.database.db('environments').where({ id: 1 }).update({ webhook_url: 'http://127.0.0.1:9/' });
    await subscribe(`['*']`, `export async function onWebhook(svc) { if (svc.connectionId === 'one') throw new Error('no'); }`);
    const before = (await matchAll(app)).length;
    await send({ type: 'a', keys: blue });
    const runs = await handled();
    expect(runs.map(({ connection_id: id, status }) => `${id} ${status}`)).to.have.members(['one failed', 'two done']);
    expect(await matchAll(app)).to.have.length(before + 2);
  });

  it('gets the payload in clear, which the database keeps encrypted until then', async () => {
    await subscribe(`['*']`, 'export async function onWebhook(svc, event) { return event.payload; }');
    const text = canary('payload of a webhook');
    // A trigger keeps a copy of each job, because the job may leave the queue before the test looks for it.
    await app.database.db.raw(`
      create table queued as select * from script_queue with no data;
      create function keep() returns trigger language plpgsql as $$ begin insert into queued values (new.*); return new; end $$;
      create trigger keep after insert on script_queue for each row execute function keep()`);
    await send({ type: 'a', keys: one, text });
    await matchAll(app);
    const [row] = await app.database.db('queued');
    expect(sweep({ row: JSON.stringify(row), webhook: row.webhook.toString('latin1') })).to.deep.equal([]);
    expect((await handled()).map(({ status }) => status)).to.deep.equal(['done']);
  });
});
