import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Deliveries } from '../support/deliveries.ts';
import { FakeApplication } from '../support/fake-application.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import type { Exchange } from '../support/scripted-server/scripted-server.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

const TIMEOUT_MS = isLong ? 20_000 : 700;
const MIB = 1024 * 1024;

/** An application that remembers its sockets, which tell how many bytes it could send to the service. */
class WatchedApplication extends FakeApplication {
  readonly sockets: Socket[] = [];

  protected override received({ request }: Exchange): void {
    this.sockets.push(request.socket);
  }
}

/** The application's behavior, the status and error that the attempt records, and the resulting state of the message. */
type Row = readonly [Behaviour, number | null, string | null, 'pending' | 'delivered'];

const HUGE_HEADERS = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-huge-${index}`, 'x'.repeat(15_000)]));
const TEXT = 'x'.repeat(100_000);
const response = (status: number): Behaviour => ({ response: { status } });

const ROWS: Readonly<Record<string, Row>> = {
  'any 2xx as a success': [response(202), 202, null, 'delivered'],
  'no content as a success': [response(204), 204, null, 'delivered'],
  'a 2xx with an endless body as a success, cut off': [{ delivery: 'endless' }, 200, null, 'delivered'],
  'a 2xx with too long a body as a success': [{ response: { status: 200, body: TEXT } }, 200, null, 'delivered'],
  '400': [response(400), 400, null, 'pending'],
  '404': [response(404), 404, null, 'pending'],
  '500': [response(500), 500, null, 'pending'],
  'an endless 500': [{ ...response(500), delivery: 'endless' }, 500, null, 'pending'],
  'a reset': [{ delivery: 'reset' }, null, 'unreachable', 'pending'],
  'a 2xx whose body is reset as a success': [{ delivery: 'reset_inside' }, 200, null, 'delivered'],
  'a 500 whose body is cut': [{ ...response(500), delivery: 'truncate' }, 500, null, 'pending'],
  'a 2xx whose body is cut as a success': [{ delivery: 'truncate' }, 200, null, 'delivered'],
  silence: [{ delivery: 'hang' }, null, 'timeout', 'pending'],
  'a 2xx whose body stops as a success': [{ delivery: 'stall' }, 200, null, 'delivered'],
  'a 2xx whose body drips as a success': [{ response: { status: 200, body: TEXT }, delivery: 'drip' }, 200, null, 'delivered'],
  'a hundred headers of 15 kB': [{ response: { status: 200, headers: HUGE_HEADERS } }, null, 'too_large', 'pending'],
};

describe('the response of an application', function () {
  const deliveries = use(this, () => Deliveries.open());
  this.timeout(isLong ? 120_000 : 20_000);

  before(() => deliveries.deliver({ attemptTimeoutMs: TIMEOUT_MS }));
  beforeEach(() => deliveries.db('webhook_messages').delete());

  for (const [what, [behaviour, status, error, left]] of Object.entries(ROWS)) {
    it(`WHO-04: takes ${what}`, async () => {
      await using application = new WatchedApplication();
      await application.listen();
      application.always('webhook', behaviour);
      const before = (await deliveries.attempts()).length;
      const [id] = await deliveries.send(1, { webhookUrlOverride: `${application.url}/hook` });
      await deliveries.attempted(before + 1, TIMEOUT_MS + 10_000);
      const attempt = (await deliveries.attempts()).at(-1);
      expect(attempt).to.include({ status, error, is_replay: false });
      expect(attempt?.duration_ms).to.be.below(TIMEOUT_MS + 5_000);
      const message = (await deliveries.messages()).find(({ message_id: messageId }) => messageId === id);
      expect(message).to.include({ status: left, tries: 1, attempt_until: null });

      const [entry] = application.ledger.entries;
      await entry?.ended;
      expect(application.ledger.entries).to.have.lengthOf(1);
      expect(application.sockets[0]?.bytesWritten, 'bytes that the network took').to.be.below(8 * MIB);
    });
  }

  for (const [what, retryAfter] of [
    ['seconds', () => '1800'],
    ['a date', () => new Date(deliveries.app.clock.now().getTime() + 1_800_000).toUTCString()],
  ] as const) {
    it(`WHO-04: delays all messages of the target for as long as a 429 asks in ${what}`, async () => {
      await using application = new WatchedApplication();
      await application.listen();
      application.next('webhook', { response: { status: 429, headers: { 'retry-after': retryAfter() } } });
      const override = { webhookUrlOverride: `${application.url}/hook` };
      const [id] = await deliveries.send(1, override);
      await deliveries.quiet();
      const message = (await deliveries.messages()).find(({ message_id: messageId }) => messageId === id);
      expect((message?.next_attempt_at?.getTime() ?? 0) - Date.now()).to.be.within(1_790_000, 1_801_000);

      await deliveries.send(1, override);
      await deliveries.quiet();
      expect(application.ledger.entries, 'the target gets no further request meanwhile').to.have.lengthOf(1);
      await deliveries.pass(1_900);
      expect(application.ledger.entries.map(({ status }) => status)).to.deep.equal([429, 200, 200]);
    });
  }

  it('WHO-04: pauses a target that responds with 410, logs that, and goes on when the target is resumed', async () => {
    const { application, app } = deliveries;
    application.next('webhook', { response: { status: 410 } });
    const [gone] = await deliveries.send();
    await deliveries.quiet();
    const others = await deliveries.send(3);
    await deliveries.quiet();
    await deliveries.pass(48 * 3_600);
    expect(application.ledger.entries).to.have.lengthOf(1);
    const target = await deliveries.target();
    expect(target.paused_at).to.be.instanceOf(Date);
    expect(target.pause_cause).to.contain('410');
    await app.services.activity.flush();
    const logged = app.logLines.find((line) => line.includes('410 Gone')) ?? '{}';
    const { logId, environmentId, message } = JSON.parse(logged);
    expect([environmentId, message]).to.deep.equal([1, 'a webhook target was paused: it responded with 410 Gone']);
    const { body: reported } = await app.api.get(`/logs/${logId}`);
    expect(JSON.stringify(reported)).to.contain('410 Gone');

    const attempt = await deliveries.db('operation_log').where({ type: 'webhook', http_status: 410 }).first();
    expect(attempt).to.include({ status: 'failure', summary: 'forward webhook → 410; it waits, since its target is paused' });
    const { body } = await app.api.get(`/webhook-messages/${gone}`);
    expect(body.data).to.include({ status: 'paused', next_attempt_at: null });
    const replayed = await app.api.call('POST', `/webhook-messages/${gone}/replay`);
    expect(replayed.status, replayed.text).to.equal(200);
    await deliveries.quiet();
    const ids = application.ledger.entries.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(1)).to.have.members([gone, ...others]);
  });

  it('is logged with what the webhook reports: that something failed, although it was delivered', async () => {
    await deliveries.send(1, { type: 'auth', operation: 'creation', success: false });
    await deliveries.quiet();
    await deliveries.app.services.activity.flush();
    const logged = await deliveries.db('operation_log').where({ operation: 'auth' }).first('summary', 'status');
    expect(logged).to.deep.equal({ summary: 'auth creation (failed) webhook → 200', status: 'success' });
  });
});
