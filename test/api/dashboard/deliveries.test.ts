import { expect } from 'chai';
import { insertEnvironment } from '../../../core/tenants/environments/environment-store.ts';
import { expireMessages } from '../../../core/webhook-delivery/backlog-store.ts';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeMessages } from '../../support/stored-messages.ts';
import { use } from '../../support/use.ts';

const E = '/api/ui/e/dev';

describe('messages to the application, in the dashboard', function () {
  const app = use(this, () => startApp());
  let viewer: TestMember;
  let elsewhere: number;

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    ({ id: elsewhere } = await insertEnvironment(app.services.db, { accountId: 1, name: 'elsewhere' }));
  });

  const attempted = async (messageId: string, ...attempts: readonly object[]) => {
    const { id } = await app.services.db('webhook_messages').where({ message_id: messageId }).first('id');
    const attempt = {
      message_id: id,
      url: 'https://app.example/',
      at: app.clock.now(),
      duration_ms: 5,
      status: null,
      error: null,
    };
    for (const one of attempts) await app.services.db('webhook_attempts').insert({ ...attempt, ...one });
  };

  it('are listed with their latest attempts, by filter, and only those of the environment', async () => {
    const [first = '', second = ''] = await storeMessages(app, { connectionId: 'a' }, { type: 'forward', connectionId: 'b' });
    const [theirs = ''] = await storeMessages(app, { environmentId: elsewhere });
    await attempted(first, { status: 503 }, { error: 'timeout', duration_ms: 9_000 });
    await attempted(theirs, { status: 200 });
    const { data, next_cursor } = (await viewer.ui.get(`${E}/deliveries`)).body;
    expect(data.map(({ id }: { id: string }) => id)).to.deep.equal([second, first]);
    expect(data[0]).to.include({ type: 'forward', attempts: 0, response_status: null, error: null, duration_ms: null });
    expect(data[1]).to.include({ attempts: 2, response_status: null, error: 'timeout', duration_ms: 9_000 });
    expect(next_cursor).to.equal(null);
    const found = (await viewer.ui.get(`${E}/deliveries?type=auth&connection_id=a&status=pending`)).body.data;
    expect(found.map(({ id }: { id: string }) => id)).to.deep.equal([first]);
    expectError(await viewer.ui.get(`${E}/deliveries?status=lost`), 'invalid_query_params');
    expectError(await viewer.ui.get(`${E}/deliveries/${theirs}`), 'not_found');
  });

  it('have a next attempt only while one is scheduled, not before their target may be called', async () => {
    const webhookUrlOverride = 'https://late.example/';
    const [id = ''] = await storeMessages(app, { webhookUrlOverride });
    const { db } = app.services;
    const target = () => db('webhook_targets').where({ url: webhookUrlOverride });
    const next = async (columns: object) => {
      await target().update({ paused_at: null, pause_cause: null, open_until: null, ...columns });
      return (await viewer.ui.get(`${E}/deliveries/${id}`)).body.data.next_attempt_at;
    };
    const due = await db('webhook_messages').where({ message_id: id }).first('next_attempt_at');
    const later = new Date(Date.now() + 1_800_000);
    expect(await next({})).to.equal(due.next_attempt_at.toISOString());
    expect(await next({ open_until: later })).to.equal(later.toISOString());
    expect(await next({ open_until: later, paused_at: later, pause_cause: 'gone' })).to.equal(null);
    await db('webhook_messages').where({ message_id: id }).update({ attempt_until: later });
    expect(await next({}), 'while an attempt is made').to.equal(null);
  });

  it('are shown with the payload as it is sent, whatever its numbers', async () => {
    const [id = ''] = await storeMessages(app, { payload: { environmentId: 1, text: '{"id":12345678901234567890}' } });
    await attempted(id, { status: 204 });
    const { data } = (await viewer.ui.get(`${E}/deliveries/${id}`)).body;
    expect(data.payload).to.equal('{"type":"auth","payload":{"id":12345678901234567890}}');
    expect(data.attempts[0]).to.include({ status: 204, duration_ms: 5 });
  });

  it('are reported as missed by targets that are paused or fail, until the URL is set again', async () => {
    const { db } = app.services;
    const url = `${app.url}/health`;
    await db('environments').where({ id: 1 }).update({ webhook_url: url });
    const paused_at = app.clock.now();
    await db('webhook_targets').insert([
      { environment_id: 1, slot: 'primary', failures: 3, paused_at, pause_cause: 'it responded with 410 Gone' },
      { environment_id: 1, slot: 'secondary', failures: 20 },
      { environment_id: elsewhere, slot: 'primary', failures: 99 },
    ]);
    const failing = async () => (await viewer.ui.get(`${E}/webhook-targets/failing`)).body.data;
    const waits = { waiting: 0, oldest: null };
    const second = { slot: 'secondary', failures: 20, paused_at: null, pause_cause: null, ...waits };
    const cause = 'it responded with 410 Gone';
    const first = { slot: 'primary', failures: 3, paused_at: paused_at.toISOString(), pause_cause: cause, ...waits };
    expect(await failing()).to.deep.equal([first, second]);
    const developer = await signedInAs(app, 'developer');
    expect((await developer.ui.patch(`${E}/settings`, { webhook_url: url })).status).to.equal(200);
    expect(await failing()).to.deep.equal([second]);
  });

  it('that were given up count attempts only, and name the URL of their own target', async () => {
    const { db } = app.services;
    await db('environments')
      .where({ id: 1 })
      .update({ webhook_url: 'https://a.example/', webhook_url_secondary: 'https://b.example/' });
    const [, second = ''] = await storeMessages(app, { webhookUrlOverride: null });
    await attempted(second, { status: 503 });
    await db('webhook_messages')
      .where({ message_id: second })
      .update({ created_at: new Date(0) });
    expect(await expireMessages(db, { days: 1, limit: 10 })).to.equal(1);
    const { attempts } = (await viewer.ui.get(`${E}/deliveries/${second}`)).body.data;
    expect(attempts.at(-1)).to.include({ url: 'https://b.example/', error: 'expired' });
    const listed: { id: string }[] = (await viewer.ui.get(`${E}/deliveries?status=failed`)).body.data;
    expect(listed.find((one) => one.id === second)).to.include({ attempts: 1, error: 'expired', duration_ms: null });
  });
});
