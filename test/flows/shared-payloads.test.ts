import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ConnectionKey } from '../../core/contract/index.ts';
import { newKeyRingText } from '../../core/kit/key-ring.ts';
import { applyRetention } from '../../core/operate/retention.ts';
import { Deliverer } from '../../core/webhook-delivery/deliverer.ts';
import { contentText } from '../../core/webhook-ingress/delivery-content.ts';
import { matchDeliveries } from '../../core/webhook-ingress/match-worker.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { hookSender, matchAll } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { client } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

const CONNECTIONS = size(8, 20);
const MEBIBYTE = 1024 * 1024;
const DAY_MS = 86_400_000;
const RETENTION_DAYS = 15;
/** The most bytes that a message may store in addition to the shared payload. */
const HEAD_BYTES = 2_048;

const team = (value: string) => [{ by: 'metadata', field: 'team', value }];
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

const NOTES = `export const webhookSubscriptions = ['*'];
export async function onWebhook(svc, { payload, truncated }) {
  svc.log('got', { truncated: truncated ?? false, text: payload === null ? null : payload.text.length });
}`;

/**
 * Returns JSON of this many bytes whose text would change if it were parsed and serialized again, so that the tests notice if it
 * was.
 */
function longJson(bytes: number, keys: object): string {
  const json = `{"id":12345678901234567890,"sum":1.0,\n"keys":${JSON.stringify(keys)},"text":""}`;
  return json.replace('"text":""', `"text":"${'ä'.padEnd(bytes - Buffer.byteLength(json) - 1, 'x')}"`);
}

describe('the payload of a webhook for many connections', function () {
  this.timeout(30_000);
  const application = useEach(this, startFakeApplication);
  const hooked = useEach(this, () => HookedApp.open({ env: { SVC_SCRIPT_TIMEOUT_MS: '10000' } }));
  let app: TestApp;

  beforeEach(async () => {
    ({ app } = hooked);
    const urls = { webhook_url: `${application.url}/first`, webhook_url_secondary: `${application.url}/second` };
    await app.database.db('environments').where({ id: 1 }).update(urls);
  });

  const table = (name: string) => app.database.db(name);

  async function storeTeam(count = CONNECTIONS): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await hooked.store({ metadata: { team: 'blue' } }));
    return ids;
  }

  async function send(json: string): Promise<void> {
    mustBe(200, await hookSender(client(app.url), hooked.hook)(json, { headers: { 'content-type': 'application/json' } }));
  }

  async function deliver(services = app.services): Promise<void> {
    await using deliverer = new Deliverer(services);
    deliverer.start();
    const isOver = async () => (await table('webhook_messages').whereNot({ status: 'delivered' })).length === 0;
    await until('all are delivered', isOver, 20_000);
  }

  /** Counts the bytes that all tables store for webhooks. */
  async function storedBytes(): Promise<number> {
    const { rows } = await app.database.db.raw(`
      select ((select coalesce(sum(octet_length(content)), 0) from webhook_deliveries)
        + (select coalesce(sum(octet_length(content)), 0) from webhook_payloads)
        + (select coalesce(sum(octet_length(content)), 0) from webhook_messages)
        + (select coalesce(sum(octet_length(webhook)), 0) from script_queue))::float8 as bytes`);
    return rows[0].bytes;
  }

  const received = () => application.ledger.entries.map(({ target, body }) => `${target} ${sha256(body)}`);
  const bodyOf = (connectionId: string, json: string) =>
    `{"from":"hooked","providerConfigKey":"hook","type":"forward","connectionId":"${connectionId}","payload":${json}}`;
  const expected = (ids: readonly string[], json: string) =>
    ids.flatMap((id) => ['/first', '/second'].map((target) => `${target} ${sha256(bodyOf(id, json))}`));

  const noneQueued = async () => (await table('script_queue').first('id')) === undefined;
  const facts = async () => (await table('script_runs')).map(({ log }) => log[0].facts);

  it(`is stored once for ${CONNECTIONS} connections, two targets and a script of each, and arrives byte for byte`, async () => {
    await deploy(app, { event: 'on-webhook', source: NOTES, key: 'hook' });
    const ids = await storeTeam();
    const json = longJson(1_000_000, team('blue'));
    const before = await storedBytes();
    await send(json);
    await matchDeliveries(app.services);
    expect(await table('webhook_messages')).to.have.length(2 * CONNECTIONS);
    expect(await table('script_queue')).to.have.length(CONNECTIONS);
    expect(await table('webhook_payloads')).to.have.length(1);
    expect((await storedBytes()) - before).to.be.within(1_000_000, 1_000_000 + 3 * CONNECTIONS * HEAD_BYTES);

    await deliver();
    expect(received()).to.have.members(expected(ids, json));
    app.services.scriptQueue.start();
    await until('all scripts have run', noneQueued, 20_000);
    const { text } = JSON.parse(json);
    expect(await facts()).to.deep.equal(Array(CONNECTIONS).fill({ truncated: false, text: text.length }));
  });

  it('is shown as it was sent', async () => {
    const [id = ''] = await storeTeam(1);
    const json = longJson(1_000, team('blue'));
    await send(json);
    await matchDeliveries(app.services);
    const { message_id } = await table('webhook_messages').first('message_id');
    const { text, body, status } = await app.api.get(`/webhook-messages/${message_id}`);
    expect(status).to.equal(200);
    expect(text).to.contain(`,"payload":${bodyOf(id, json)}`);
    expect(body.data).to.include({ id: message_id, status: 'pending' });
  });

  it('is not stored where nobody is to receive it', async () => {
    await table('environments').where({ id: 1 }).update({ webhook_url: null, webhook_url_secondary: null });
    await storeTeam(2);
    await send(longJson(1_000, team('blue')));
    await matchDeliveries(app.services);
    expect(await table('webhook_deliveries')).to.deep.equal([]);
    expect(await table('webhook_payloads')).to.deep.equal([]);
  });

  it('is stored once for all events that share the body, and once for each event with a payload of its own', async () => {
    await storeTeam(3);
    const json = '{"sum":1.0}';
    const connections = team('blue') as ConnectionKey[];
    const events = [{ connections }, { connections, payload: { own: 1 } }, { connections }, { connections, payload: { own: 2 } }];
    const { id: integrationId } = await table('integrations').where({ unique_key: 'hook' }).first('id');
    await app.services.deliveries.write({
      ...{ environmentId: 1, integrationId, verified: true, key: randomBytes(32), repeatsWithinMs: 1 },
      content: contentText({ events, payload: JSON.parse(json), json }, { headers: {} }),
    });
    const sent = (await matchAll(app)).map(({ text }) => text.slice(text.indexOf('"payload":')));
    expect(await table('webhook_payloads')).to.have.length(3);
    const each = [`"payload":${json}}`, '"payload":{"own":1}}', `"payload":${json}}`, '"payload":{"own":2}}'];
    expect(sent).to.have.members(Array(6).fill(each).flat());
  });

  for (const [bytes, truncated] of [
    [MEBIBYTE, false],
    [MEBIBYTE + 1, true],
  ] as const) {
    it(`of ${bytes} bytes is ${truncated ? 'not ' : ''}passed to scripts`, async () => {
      await deploy(app, { event: 'on-webhook', source: NOTES, key: 'hook' });
      await storeTeam(1);
      const json = longJson(bytes, team('blue'));
      expect(Buffer.byteLength(json)).to.equal(bytes);
      await send(json);
      expect((await matchAll(app)).map(({ text }) => text.endsWith(`,"payload":${json}}`))).to.deep.equal([true, true]);
      app.services.scriptQueue.start();
      await until('the script has run', noneQueued, 20_000);
      expect(await facts()).to.deep.equal([{ truncated, text: truncated ? null : JSON.parse(json).text.length }]);
    });
  }

  it('is deleted once no message and no waiting script needs it', async () => {
    await deploy(app, { event: 'on-webhook', source: NOTES, key: 'hook' });
    await storeTeam(2);
    await send(longJson(1_000, team('blue')));
    await matchDeliveries(app.services);
    const isKept = async () => {
      await applyRetention(app.services);
      return (await table('webhook_payloads')).length === 1;
    };
    expect(await isKept(), 'kept for messages and jobs').to.equal(true);
    await table('webhook_messages').delete();
    expect(await isKept(), 'kept for jobs').to.equal(true);
    app.services.scriptQueue.start();
    await until('all scripts have run', noneQueued);
    expect(await facts()).to.have.length(2);
    expect(await isKept(), 'kept for nothing').to.equal(false);
  });

  it('can be replayed long after the delivery that brought it is forgotten', async () => {
    const ids = await storeTeam(2);
    const json = longJson(100_000, team('blue'));
    await send(json);
    await matchDeliveries(app.services);
    await deliver();
    const later = (RETENTION_DAYS + 1) * DAY_MS;
    await app.clock.advance(later, app.database.db);
    await table('webhook_messages').update({ created_at: app.database.db.raw(`created_at - interval '16 days'`) });
    const replay = await app.api.post('/webhook-messages/replay', { status: 'delivered' });
    expect(replay.body.data.count).to.equal(2 * ids.length);
    await applyRetention(app.services);
    await deliver();
    expect(received()).to.have.members([...expected(ids, json), ...expected(ids, json)]);
  });

  it('arrives although a connection is deleted on the way, whose script then does not run', async () => {
    await deploy(app, { event: 'on-webhook', source: NOTES, key: 'hook' });
    const ids = await storeTeam(2);
    const json = longJson(100_000, team('blue'));
    await send(json);
    await matchDeliveries(app.services);
    mustBe(200, await app.api.delete(`/connections/${ids[0]}?provider_config_key=hook`));
    await table('webhook_messages').where({ type: 'auth' }).delete();
    await applyRetention(app.services);
    await deliver();
    expect(received()).to.have.members(expected(ids, json));
    app.services.scriptQueue.start();
    await until('the other script has run', noneQueued);
    expect((await table('script_runs')).map((run) => run.connection_id)).to.deep.equal([ids[1]]);
  });

  it('is sent and shown by an instance with a newer encryption key', async () => {
    const ids = await storeTeam(1);
    const json = longJson(1_000, team('blue'));
    await send(json);
    await matchDeliveries(app.services);
    const newer = newKeyRingText().replace('k1:', 'k2:');
    rememberSecret('encryption key', newer.slice(3));
    const env = { SVC_ENCRYPTION_KEYS: `${newer},${app.encryptionKeys}`, SVC_BOOTSTRAP_API_KEY: app.apiKey };
    await using other = await startApp({ env, database: app.database });
    await deliver(other.services);
    expect(received()).to.have.members(expected(ids, json));
    const { message_id } = await table('webhook_messages').first('message_id');
    expect((await other.api.get(`/webhook-messages/${message_id}`)).text).to.contain(bodyOf(ids[0] ?? '', json));
  });
});
