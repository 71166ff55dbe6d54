import { expect } from 'chai';
import { toCursor } from '../../core/db/cursor.ts';
import { startApp } from '../support/app.ts';
import { expectError } from '../support/std-error.ts';
import { storeMessage, storeMessages } from '../support/stored-messages.ts';
import { use } from '../support/use.ts';

const HOUR = 3_600_000;
const MEMBERS = [
  'id',
  'type',
  'operation',
  'success',
  'connection_id',
  'provider_config_key',
  'status',
  'created_at',
  'next_attempt_at',
];
const ATTEMPT_MEMBERS = ['at', 'url', 'status', 'duration_ms', 'error', 'is_replay'];

/** The stored messages, oldest first. */
const STORED = [
  { operation: 'creation', connectionId: 'ada', providerConfigKey: 'notes' },
  { operation: 'refresh', connectionId: 'bob', providerConfigKey: 'notes' },
  { type: 'forward', connectionId: 'ada', providerConfigKey: 'tracker', body: { type: 'forward', payload: { n: 1 } } },
  { type: 'forward', providerConfigKey: 'tracker', body: { type: 'forward', payload: { n: 2 } } },
  { type: 'test', operation: 'auth' },
] as const;
const STATUSES = ['delivered', 'failed', 'paused', 'failed', 'pending'] as const;

interface Listed {
  readonly id: string;
}

describe('listed webhook messages', function () {
  const app = use(this, startApp);
  let ids: readonly string[];

  before(async () => {
    ids = await storeMessages(app, ...STORED);
    for (const [index, id] of ids.entries()) {
      const age = (ids.length - index) * HOUR;
      await app.database
        .db('webhook_messages')
        .where({ message_id: id })
        .update({ status: STATUSES[index], created_at: new Date(Date.now() - age) });
    }
  });
  /** Lists messages with this query. @returns their positions in `STORED` */
  const list = async (query: string): Promise<number[]> => {
    const { status, body, text } = await app.api.get(`/webhook-messages${query}`);
    expect(status, text).to.equal(200);
    return body.data.map(({ id }: Listed) => ids.indexOf(id));
  };
  const ago = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * HOUR).toISOString());

  it('are shown without their payloads, newest first', async () => {
    const { body } = await app.api.get('/webhook-messages');
    expect(body.data.map(({ id }: Listed) => id)).to.deep.equal(ids.toReversed());
    for (const message of body.data) expect(message).to.have.all.keys(MEMBERS);
    expect(body.data[4]).to.include({ type: 'auth', operation: 'creation', connection_id: 'ada', status: 'delivered' });
    expect(body.next_cursor).to.equal(null);
  });

  const filters: Readonly<Record<string, readonly number[]>> = {
    '?status=failed': [3, 1],
    '?status=paused': [2],
    '?type=forward': [3, 2],
    '?type=test': [4],
    '?connection_id=ada': [2, 0],
    '?connection_id=nobody': [],
    '?integration=tracker': [3, 2],
    '?integration=notes&connection_id=ada': [0],
    '?status=failed&type=forward': [3],
    '?limit=2': [4, 3],
    '?limit=2&page=1': [2, 1],
    '?limit=2&page=9': [],
  };
  for (const [query, expected] of Object.entries(filters))
    it(`are those of ${query}`, async () => expect(await list(query)).to.deep.equal(expected));

  it('can be limited to a time range', async () => {
    expect(await list(`?since=${ago(2.5)}`)).to.deep.equal([4, 3]);
    expect(await list(`?until=${ago(2.5)}`)).to.deep.equal([2, 1, 0]);
    expect(await list(`?since=${ago(4.5)}&until=${ago(2.5)}`)).to.deep.equal([2, 1]);
    for (const since of ['2020-01-01T00:00:00%2B02:00', '0000-01-01T00:00:00Z', '2020-02-29T23:59:59.123456789Z'])
      expect(await list(`?since=${since}&until=9999-12-31T23:59:59Z`)).to.have.length(ids.length);
  });

  it('include the beginning of a time range but not its end', async () => {
    const { body } = await app.api.get('/webhook-messages?connection_id=bob');
    const [{ created_at: at }] = body.data;
    expect(await list(`?since=${at}&connection_id=bob`)).to.deep.equal([1]);
    expect(await list(`?until=${at}&connection_id=bob`)).to.deep.equal([]);
  });

  for (const limit of [1, 2, STORED.length, STORED.length + 1]) {
    it(`are walked through ${limit} at a time, each once`, async () => {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await app.api.get(`/webhook-messages?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...body.data.map(({ id }: Listed) => id));
        cursor = body.next_cursor;
      }
      expect(seen).to.deep.equal(ids.toReversed());
    });
  }

  it('are walked through within a filter', async () => {
    const { body } = await app.api.get('/webhook-messages?status=failed&limit=1');
    expect(await list(`?status=failed&limit=1&cursor=${body.next_cursor}`)).to.deep.equal([1]);
  });

  const wrong = ['limit=0', 'limit=2001', 'cursor=x', 'cursor=', `page=0&cursor=${toCursor(1)}`, 'page=-1', 'x=y', 'tags[a]=b'];
  const values = [
    'status=lost',
    'status=',
    'type=sync',
    'since=yesterday',
    'since=2026-01-01',
    'until=1700000000',
    'integration=%2F',
  ];
  const double = ['status=failed&status=paused', 'connection_id[]=a'];
  for (const query of [...wrong, ...values, ...double]) {
    it(`refuse ?${query}`, async () => expectError(await app.api.get(`/webhook-messages?${query}`), 'invalid_query_params'));
  }
});

describe('a webhook message', function () {
  const app = use(this, startApp);
  let id: string;
  const path = () => `/webhook-messages/${id}`;
  const body = { type: 'auth', text: 'Ünïcode " \\ \u2028', list: [1, { a: null }] };

  before(async () => {
    id = await storeMessage(app, { operation: 'creation', connectionId: 'ada', providerConfigKey: 'notes', body });
  });
  it('is read with the payload as it is sent, and without attempts while there are none', async () => {
    const { data } = (await app.api.get(path())).body;
    expect(data).to.have.all.keys(...MEMBERS, 'payload', 'attempts');
    expect(data).to.deep.include({ id, operation: 'creation', status: 'pending', payload: body, attempts: [] });
    expect(Date.parse(data.next_attempt_at)).to.be.closeTo(Date.now(), 60_000);
  });

  it('is encrypted in the database', async () => {
    expect(await app.database.dump()).not.to.contain('Ünïcode');
  });

  it('shows its latest hundred attempts, oldest first', async () => {
    const { db } = app.database;
    const row = await db('webhook_messages').where({ message_id: id }).first('id');
    const attempts = Array.from({ length: 105 }, (_, index) => ({
      message_id: row.id,
      at: new Date(Date.now() + index),
      url: 'https://nowhere.example/webhooks',
      status: index === 104 ? 200 : null,
      duration_ms: index,
      error: index === 104 ? null : 'connection_failed',
      is_replay: index > 50,
    }));
    await db('webhook_attempts').insert(attempts);
    const shown = (await app.api.get(path())).body.data.attempts;
    for (const attempt of shown) expect(attempt).to.have.all.keys(ATTEMPT_MEMBERS);
    expect(shown.map((attempt: { duration_ms: number }) => attempt.duration_ms)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => index + 5),
    );
    expect(shown.at(-1)).to.include({ status: 200, error: null, is_replay: true });
    expect(shown.at(0)).to.include({ status: null, error: 'connection_failed', is_replay: false });
  });

  it('with an unknown ID is not found', async () => {
    expectError(await app.api.get('/webhook-messages/msg_unknown'), 'not_found');
    expectError(await app.api.post('/webhook-messages/msg_unknown/replay'), 'not_found');
    expectError(await app.api.get('/webhook-messages/%20'), 'invalid_uri_params');
  });
});
