import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { TestClock } from '../support/clock.ts';
import { mustBe } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { hookSender } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { WebhookSender } from '../support/webhook-sender.ts';
import { WebhookWalk } from '../support/webhook-walk.ts';

const WEBHOOKS = size(600, 10_000);
const PER_SECOND = size(60, 200);
const KILL_EVERY_MS = size(1_500, 10_000);
const GIVE_UP_MS = 60_000;
/** Longer than the leases of a killed process on messages last. */
const LEASE_MS = 60_000;

const MANY = size(5, 20);
const LARGE_BYTES = 1_000_000;

const importOf = (id: string) => ({
  provider_config_key: 'hook',
  connection_id: id,
  credentials: { type: 'OAUTH2', access_token: canary('imported token') },
  metadata: { team: 'blue' },
});

const isNotInFlight = ({ status, attempt_until }: { status: string; attempt_until: Date | null }) =>
  status === 'delivered' || attempt_until === null;

describe('an instance that is killed among webhooks', () => {
  it(`DUR-02: ${WEBHOOKS} webhooks arrive though the instance is killed every ${KILL_EVERY_MS} ms`, async function () {
    this.timeout(size(150_000, 500_000));
    await using database = await cloneDatabase();
    await using walk = await WebhookWalk.open({ databaseUrl: database.url });
    const sender = new WebhookSender(walk.url, await walk.hook(database.url));

    let isSending = true;
    const sending = sender.send({ count: WEBHOOKS, perSecond: PER_SECOND, giveUpAfterMs: GIVE_UP_MS }).finally(() => {
      isSending = false;
    });
    let kills = 0;
    for (; isSending; kills += 1) {
      // The test waits for no event, because the process is killed at fixed intervals.
      await wait(KILL_EVERY_MS);
      await walk.kill();
      await walk.start();
    }
    await sending;
    expect(sender.accepted.size).to.equal(WEBHOOKS);
    expect(kills).to.be.at.least(3);
    expect(sender.statuses.get(0), 'requests that a kill cut off').to.be.above(0);

    // Messages that a killed process was sending are sent again when its leases expire. The test advances the clock instead of
    // waiting.
    await new TestClock().advance(LEASE_MS, database.db);
    await until('all are received', () => walk.received().size === WEBHOOKS, 90_000);
    const several = [...walk.received()].filter(([, ids]) => ids.size > 1);
    expect(several, 'webhooks that became several messages').to.deep.equal([]);
    expect(walk.service.output.stderr).to.equal('');
  });

  for (const point of ['webhook-after-store', 'webhook-match-before-commit']) {
    it(`DUR-02: one webhook becomes one message though the instance dies at ${point}`, async function () {
      this.timeout(60_000);
      await using database = await cloneDatabase();
      await using walk = await WebhookWalk.open({ databaseUrl: database.url, env: { FAULT_AT: `${point}:1` } });
      const hook = await walk.hook(database.url);
      const sender = new WebhookSender(walk.url, hook);
      const sending = sender.send({ count: 1, perSecond: 1, giveUpAfterMs: GIVE_UP_MS });
      expect((await walk.service.exit).signal).to.equal('SIGKILL');
      await walk.start();
      await sending;
      await until('it is received', () => walk.received().size === 1, 30_000);
      expect(await database.db('webhook_messages')).to.have.length(1);
      expect(await database.db('webhook_deliveries')).to.deep.equal([]);
    });
  }

  it('DUR-02: a large webhook arrives whole at many connections though instances die matching and sending it', async function () {
    this.timeout(90_000);
    await using database = await cloneDatabase();
    const env = { FAULT_AT: 'webhook-match-before-commit:1' };
    await using walk = await WebhookWalk.open({ databaseUrl: database.url, env });
    const hook = await walk.hook(database.url);
    const url = walk.application.url;
    await database
      .db('environments')
      .where({ id: 1 })
      .update({ webhook_url_secondary: `${url}/second` });
    const ids = Array.from({ length: MANY }, (_, at) => `connection-${at}`);
    for (const id of ids) mustBe(200, await walk.api.post('/connections', importOf(id)));
    const json = `{"sum":1.0,"keys":[{"by":"metadata","field":"team","value":"blue"}],"text":"${'x'.repeat(LARGE_BYTES)}"}`;
    mustBe(200, await hookSender(client(walk.url), hook)(json, { headers: { 'content-type': 'application/json' } }));
    expect((await walk.service.exit).signal).to.equal('SIGKILL');
    expect(await database.db('webhook_payloads'), 'a transaction that did not commit leaves no payload').to.deep.equal([]);

    await walk.start({ FAULT_AT: `webhook-after-send:${MANY}` });
    expect((await walk.service.exit).signal).to.equal('SIGKILL');
    expect(await database.db('webhook_payloads')).to.have.length(1);
    await new TestClock().advance(LEASE_MS, database.db);
    await walk.start();
    const messages = () => database.db('webhook_messages').where({ type: 'forward' });
    await until('what the dead had begun waits for its next try', async () => (await messages()).every(isNotInFlight), 30_000);
    await new TestClock().advance(LEASE_MS, database.db);
    await until('all are delivered', async () => (await messages()).every(({ status }) => status === 'delivered'), 30_000);
    expect(await messages()).to.have.length(2 * MANY);
    const bodies = Map.groupBy(walk.application.ledger.entries, ({ headers }) => String(headers['webhook-id']));
    for (const { message_id, connection_id } of await messages()) {
      const head = `{"from":"hooked","providerConfigKey":"hook","type":"forward","connectionId":"${connection_id}"`;
      const wrong = (bodies.get(message_id) ?? []).filter(({ body }) => body.toString() !== `${head},"payload":${json}}`);
      expect([bodies.has(message_id), wrong.length]).to.deep.equal([true, 0]);
    }
  });
});
