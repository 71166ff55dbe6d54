import { expect } from 'chai';
import { verifyWebhook } from '../../sdk/node/src/svc.ts';
import { Deliveries } from '../support/deliveries.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';

interface Attempt {
  readonly status: number | null;
  readonly is_replay: boolean;
}

describe('webhook messages that did not arrive (WHO-08)', function () {
  const deliveries = useEach(this, () => Deliveries.open());

  const api = () => deliveries.app.api;
  const read = async (id: string) => (await api().get(`/webhook-messages/${id}`)).body.data;
  const outcomes = async (id: string) =>
    (await read(id)).attempts.map(({ status, is_replay }: Attempt) => `${status}${is_replay ? ' replay' : ''}`);

  /** Marks pending messages as failed, as after their last attempt, without waiting out the day that all attempts take. */
  const giveUp = () =>
    deliveries.db('webhook_messages').where({ status: 'pending' }).update({ status: 'failed', tries: 9, next_attempt_at: null });

  it('WHO-08: are listed, replayed under their ID, marked, and signed anew', async () => {
    deliveries.application.always('webhook', { response: { status: 500 } });
    await deliveries.deliver();
    const ids = await deliveries.send(3, { connectionId: 'ada', providerConfigKey: 'notes' });
    await deliveries.attempted(3);
    await giveUp();
    const listed = (await api().get('/webhook-messages?status=failed')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).to.deep.equal(ids.toReversed());

    deliveries.application.always('webhook', {});
    await deliveries.advance(1);
    expect((await api().post('/webhook-messages/replay', { status: 'failed' })).body.data).to.include({
      count: 3,
      is_held: false,
    });
    await deliveries.untilStatus('delivered', 3);
    const secret = await deliveries.secret();
    for (const id of ids) {
      expect(await outcomes(id)).to.deep.equal(['500', '200 replay']);
      const [first, again, ...more] = deliveries.received().get(id) ?? [];
      if (first === undefined || again === undefined) expect.fail('it did not come twice');
      expect(more).to.deep.equal([]);
      expect(again.body).to.deep.equal(first.body);
      expect(again.headers['webhook-timestamp']).not.to.equal(first.headers['webhook-timestamp']);
      expect(verifyWebhook(again.body, again.headers, secret)).to.equal(true);
    }
  });

  it('are delivered again by a replay even when they had arrived', async () => {
    await deliveries.deliver();
    const [id = ''] = await deliveries.send();
    await deliveries.untilStatus('delivered', 1);
    await api().post(`/webhook-messages/${id}/replay`);
    await until('it came twice', () => deliveries.received().get(id)?.length === 2);
    await deliveries.attempted(2);
    expect(await outcomes(id)).to.deep.equal(['200', '200 replay']);
    expect(await read(id)).to.include({ status: 'delivered', next_attempt_at: null });
  });

  it('begin their schedule anew with a replay', async () => {
    deliveries.application.always('webhook', { response: { status: 500 } });
    await deliveries.deliver();
    const [id = ''] = await deliveries.send();
    await deliveries.attempted(1);
    await giveUp();
    await api().post(`/webhook-messages/${id}/replay`);
    await deliveries.attempted(2);
    const { status, next_attempt_at: next } = await read(id);
    expect(status).to.equal('pending');
    expect(Date.parse(next) - Date.now(), 'the first wait').to.be.within(1_000, 6_500);
  });

  it('are sent again after a 410 when one of them is replayed', async () => {
    deliveries.application.next('webhook', { response: { status: 410 } });
    await deliveries.deliver();
    const [gone = ''] = await deliveries.send();
    await deliveries.untilStatus('paused', 1);
    const [waiting = ''] = await deliveries.send();
    await deliveries.untilStatus('paused', 2);
    await api().post(`/webhook-messages/${gone}/replay`);
    await deliveries.untilStatus('delivered', 2);
    expect(await outcomes(gone)).to.deep.equal(['410', '200 replay']);
    expect(await outcomes(waiting)).to.deep.equal(['200']);
  });

  it('that are being sent when they are replayed continue, and are sent again at once if that fails', async () => {
    const barrier = new Barrier();
    deliveries.application.next('webhook', { barrier, response: { status: 500 } });
    await deliveries.deliver();
    const [id = ''] = await deliveries.send();
    await barrier.arrived(1);
    await api().post(`/webhook-messages/${id}/replay`);
    await deliveries.send();
    await deliveries.untilStatus('delivered', 1);
    expect(deliveries.received().get(id), 'sent only once meanwhile').to.have.length(1);
    barrier.open();
    await deliveries.untilStatus('delivered', 2);
    expect(await outcomes(id)).to.deep.equal(['500', '200 replay']);
  });

  it('are sent as test messages, marked as such', async () => {
    await deliveries.deliver();
    const { id } = (await api().post('/webhook-messages/test', { type: 'forward' })).body.data;
    await deliveries.untilStatus('delivered', 1);
    const [received] = deliveries.received().get(id) ?? [];
    expect(received?.headers).to.include({ 'svc-webhook-test': 'true', 'svc-webhook-verified': 'false' });
    expect(JSON.parse(String(received?.body))).to.include({ type: 'forward', connectionId: 'svc-test' });
  });
});
