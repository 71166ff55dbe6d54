import { expect } from 'chai';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import type { NewMessage } from '../../core/webhook-delivery/messages.ts';
import { MAX_REPLAYED } from '../../core/webhook-delivery/replay.ts';
import { startApp } from '../support/app.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeTenant, type Tenant } from '../support/stored.ts';
import { storeMessage, storeMessages } from '../support/stored-messages.ts';
import { use } from '../support/use.ts';

const HOOK = 'https://nowhere.example/webhooks';

/** The columns of a message whose last attempt has failed. */
const OVER = { status: 'failed', tries: 9, next_attempt_at: null, ended_at: new Date() };

describe('replays of webhook messages (WHO-08)', function () {
  const app = use(this, startApp);
  let other: Tenant;

  before(async () => {
    other = await storeTenant(app, 'other');
  });
  beforeEach(() => app.database.db('webhook_targets').delete());

  const messages = () => app.database.db('webhook_messages');
  const rowOf = (id: string) => messages().where({ message_id: id }).first();
  const replayed = async () => (await messages().whereNotNull('replayed_at')).map(({ message_id }) => message_id);
  const target = (id: string) =>
    app.database.db('webhook_targets').whereIn('id', messages().where({ message_id: id }).select('target_id'));

  /** Stores messages whose attempts have all failed. @returns their IDs */
  async function failed(...input: Partial<NewMessage>[]): Promise<string[]> {
    const ids = await storeMessages(app, ...input);
    await messages().whereIn('message_id', ids).update(OVER);
    return ids;
  }

  /** Returns the IDs of the targets that are signaled to the workers while `work` runs. */
  async function signalledDuring(work: () => Promise<unknown>): Promise<number[]> {
    const signalled: number[] = [];
    const unsubscribe = app.services.signals.subscribe('webhook-messages', { onWork: (ids = []) => signalled.push(...ids) });
    await work();
    unsubscribe();
    return signalled;
  }

  it('WHO-08: begin the schedule anew under the same ID, and wake the target', async () => {
    const [id = ''] = await failed({});
    const before = await rowOf(id);
    const signalled = await signalledDuring(async () => {
      const { status, body } = await app.api.post(`/webhook-messages/${id}/replay`);
      expect([status, body]).to.deep.equal([200, { success: true, is_held: false }]);
    });
    const after = await rowOf(id);
    expect(signalled).to.deep.equal([before.target_id]);
    expect(after).to.include({ id: before.id, status: 'pending', tries: 0, ended_at: null });
    expect(after.content).to.deep.equal(before.content);
    expect(after.replayed_at).to.be.instanceOf(Date);
    expect(after.next_attempt_at.getTime()).to.be.closeTo(Date.now(), 60_000);
  });

  it('end a pause of the target, and make all its waiting messages due', async () => {
    const [input = '', waiting = ''] = await failed({}, {});
    const elsewhere = await storeMessage(app, { webhookUrlOverride: 'https://elsewhere.example/' });
    const paused = { paused_at: new Date(), pause_cause: 'gone', failures: 12, open_until: new Date(Date.now() + 60_000) };
    await app.database.db('webhook_targets').update(paused);
    await messages().whereIn('message_id', [waiting, elsewhere]).update({ status: 'paused', next_attempt_at: null });
    await app.api.post(`/webhook-messages/${input}/replay`);
    expect((await target(input))[0]).to.include({ paused_at: null, pause_cause: null, failures: 0, open_until: null });
    expect(await rowOf(waiting)).to.include({ status: 'pending', replayed_at: null });
    expect(await rowOf(elsewhere)).to.include({ status: 'paused' });
    expect((await target(elsewhere))[0].paused_at).to.be.instanceOf(Date);
  });

  it('say that a message waits whose URL was removed', async () => {
    await updateEnvironment(app.services.db, 1, { webhook_url: HOOK });
    const [id = ''] = await failed({ webhookUrlOverride: null });
    await updateEnvironment(app.services.db, 1, { webhook_url: null });
    expect((await app.api.post(`/webhook-messages/${id}/replay`)).body).to.deep.equal({ success: true, is_held: true });
  });

  it('leave a message that is being sent to its sender', async () => {
    const id = await storeMessage(app);
    const attemptUntil = new Date(Date.now() + 20_000);
    await messages().where({ message_id: id }).update({ tries: 3, attempt_until: attemptUntil });
    await app.api.post(`/webhook-messages/${id}/replay`);
    expect(await rowOf(id)).to.deep.include({ status: 'pending', tries: 0, attempt_until: attemptUntil });
  });

  const FILTERS: Readonly<Record<string, readonly number[]>> = {
    '{}': [0, 1, 2, 3],
    '{"status":"failed"}': [0, 1, 2],
    '{"status":"pending"}': [3],
    '{"connection_id":"ada"}': [0, 2],
    '{"integration":"notes","type":"auth"}': [0],
    '{"since":"2020-01-01T00:00:00Z","until":"2020-01-02T00:00:00Z"}': [],
    '{"since":"2020-01-01T00:00:00Z","connection_id":"bob"}': [1],
  };
  for (const [filter, expected] of Object.entries(FILTERS)) {
    for (const place of ['body', 'query'] as const) {
      it(`take the filters of the list in the ${place}: ${filter}`, async () => {
        const ids = await failed(
          { connectionId: 'ada', providerConfigKey: 'notes' },
          { connectionId: 'bob', providerConfigKey: 'notes', type: 'forward' },
          { connectionId: 'ada', webhookUrlOverride: 'https://elsewhere.example/' },
        );
        ids.push(await storeMessage(app));
        const query = new URLSearchParams(JSON.parse(filter));
        const response = await (place === 'body'
          ? app.api.post('/webhook-messages/replay', JSON.parse(filter))
          : app.api.post(`/webhook-messages/replay?${query}`));
        expect([response.status, response.body.data.count]).to.deep.equal([200, expected.length]);
        expect(await replayed()).to.have.members(expected.map((index) => ids[index]));
      });
    }
  }

  it('wake each target once', async () => {
    await failed({}, {}, {}, { webhookUrlOverride: 'https://elsewhere.example/' });
    const signalled = await signalledDuring(() => app.api.post('/webhook-messages/replay', { status: 'failed' }));
    expect(signalled).to.have.length(2);
    expect(new Set(signalled)).to.have.length(2);
  });

  it('replay the ten thousand oldest at a time', async () => {
    await failed({});
    await app.database.db.raw(
      `insert into webhook_messages (message_id, environment_id, target_id, type, status, content)
       select 'many_' || n, environment_id, target_id, type, status, content from webhook_messages, generate_series(1, ?) n`,
      [MAX_REPLAYED],
    );
    const replay = async () => (await app.api.post('/webhook-messages/replay', { status: 'failed' })).body.data;
    expect(await replay()).to.include({ count: MAX_REPLAYED, has_more: true });
    const left = await messages().where({ status: 'failed' });
    expect(left.map(({ message_id }) => message_id)).to.deep.equal([`many_${MAX_REPLAYED}`]);
    expect(await replay()).to.include({ count: 1, has_more: false });
    expect(await replay()).to.include({ count: 0, has_more: false, is_held: false });
  });

  it('WHO-08: never touch or show messages of another environment', async () => {
    const [own = ''] = await failed({ connectionId: 'ada' });
    const [foreign = ''] = await failed({ connectionId: 'ada', environmentId: other.environmentId });
    const paused = { paused_at: new Date(), pause_cause: 'gone' };
    await app.database.db('webhook_targets').where({ environment_id: other.environmentId }).update(paused);
    const unknown = await app.api.post('/webhook-messages/msg_unknown/replay');
    const refused = await app.api.post(`/webhook-messages/${foreign}/replay`);
    expect([refused.status, refused.text]).to.deep.equal([unknown.status, unknown.text]);
    expectError(await app.api.get(`/webhook-messages/${foreign}`), 'not_found');
    expect((await app.api.post('/webhook-messages/replay', { connection_id: 'ada' })).body.data.count).to.equal(1);
    expect((await app.api.get('/webhook-messages')).body.data.map(({ id }: { id: string }) => id)).to.deep.equal([own]);
    expect(await replayed()).to.deep.equal([own]);
    expect((await target(foreign))[0].paused_at).to.be.instanceOf(Date);
    expect((await other.api.post(`/webhook-messages/${foreign}/replay`)).status).to.equal(200);
  });

  it('WHO-08: need their own scope; one that may read may not send', async () => {
    const [id = ''] = await failed({});
    const reader = await clientWith(app, 'environment:webhooks:read');
    const replayer = await clientWith(app, 'environment:webhooks:replay');
    expect((await reader.get(`/webhook-messages/${id}`)).status).to.equal(200);
    for (const path of [`/${id}/replay`, '/replay', '/test'])
      expectError(await reader.post(`/webhook-messages${path}`, { type: 'auth' }), 'forbidden');
    for (const path of [`/${id}`, '']) expectError(await replayer.get(`/webhook-messages${path}`), 'forbidden');
    expect(await replayed()).to.deep.equal([]);
    expect((await replayer.post(`/webhook-messages/${id}/replay`)).status).to.equal(200);
  });

  for (const body of [{ status: 'lost' }, { limit: 5 }, { since: 'now' }, { connection_id: '' }, []])
    it(`refuse ${JSON.stringify(body)}`, async () =>
      expectError(await app.api.post('/webhook-messages/replay', body), 'invalid_body'));
});

describe('test messages', function () {
  const app = use(this, startApp);
  it('are refused while there is no webhook URL', async () => {
    const response = await app.api.post('/webhook-messages/test', { type: 'auth' });
    expectError(response, 'invalid_body');
    expect(response.body.error.message).to.contain('no webhook URL');
  });

  for (const type of ['auth', 'forward']) {
    it(`look like those of the type ${type}`, async () => {
      await updateEnvironment(app.services.db, 1, { webhook_url: HOOK, webhook_url_secondary: null });
      const { id } = (await app.api.post('/webhook-messages/test', { type })).body.data;
      const { data } = (await app.api.get(`/webhook-messages/${id}`)).body;
      expect(data).to.include({ type: 'test', operation: type, status: 'pending', connection_id: null });
      expect(data.payload).to.include({ type, connectionId: 'svc-test', providerConfigKey: 'svc-test' });
    });
  }

  it('go to both URLs, and the response names the message to the first', async () => {
    await updateEnvironment(app.services.db, 1, { webhook_url: HOOK, webhook_url_secondary: `${HOOK}/2` });
    const before = (await app.api.get('/webhook-messages')).body.data.length;
    const { id } = (await app.api.post('/webhook-messages/test', { type: 'auth' })).body.data;
    const { data } = (await app.api.get('/webhook-messages')).body;
    expect(data).to.have.length(before + 2);
    const targets = app.database.db('webhook_targets').where({ slot: 'primary' }).select('id');
    expect(await app.database.db('webhook_messages').where({ message_id: id }).whereIn('target_id', targets)).to.have.length(1);
  });

  for (const [state, columns, isHeld] of [
    ['sends', {}, false],
    ['is paused', { paused_at: new Date(), pause_cause: 'gone' }, true],
    ['is held back after failures', { open_until: new Date(Date.now() + 60_000), failures: 10 }, true],
  ] as const)
    it(`say whether they wait: a target that ${state}`, async () => {
      await updateEnvironment(app.services.db, 1, { webhook_url: HOOK, webhook_url_secondary: null });
      const send = async () => (await app.api.post('/webhook-messages/test', { type: 'auth' })).body.data;
      await send();
      const own = app.database.db('webhook_targets').where({ environment_id: 1, slot: 'primary' });
      await own.update({ paused_at: null, pause_cause: null, open_until: null, failures: 0, ...columns });
      expect((await send()).is_held).to.equal(isHeld);
    });

  for (const body of [{}, { type: 'sync' }, { type: 'test' }, { type: 'auth', url: HOOK }])
    it(`are refused for ${JSON.stringify(body)}`, async () =>
      expectError(await app.api.post('/webhook-messages/test', body), 'invalid_body'));
});
