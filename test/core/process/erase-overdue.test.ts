import { expect } from 'chai';
import { applyRetention } from '../../../core/process/retention.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { insertConnection } from '../support/insert-connection.ts';
import { retentionDeps } from '../support/retention-deps.ts';

const TABLES = ['environments', 'integrations', 'connections', 'connect_sessions', 'operations'];

/** Deletions and erasures look for these rows. */
const LOOK_UPS: Readonly<Record<string, string>> = {
  'the connections of an integration': 'select id from connections where integration_id = 1',
  'the flows of an integration': 'select id from authorization_flows where integration_id = 1',
  'the flows of an environment': 'select id from authorization_flows where environment_id = 1',
  'the sessions of an environment': 'select id from connect_sessions where environment_id = 1',
  'the operations of an environment': 'select id from operations where environment_id = 1',
  'the integrations that wait to be erased': 'select id from integrations where deleted_at < now()',
  'the environments that wait to be erased': 'select id from environments where deleted_at < now()',
};

describe('purging what is marked deleted', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await cloneDatabase();
    const { db } = database;
    await insertConnection(db, {});
    const { id } = await db('environments').first('id');
    await db('connect_sessions').insert({
      environment_id: id,
      tags: '{}',
      token_hash: 'live',
      expires_at: new Date(Date.now() + 1e9),
    });
    const operation = { id: '7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11', type: 'proxy', operation: 'GET', status: 'success' };
    await db('operations').insert({ ...operation, environment_id: id, created_at: new Date() });
  });

  afterEach(() => database[Symbol.asyncDispose]());

  const mark = (table: string, hoursAgo: number) =>
    database.db(table).update({ deleted_at: database.db.raw(`now() - ? * interval '1 hour'`, [hoursAgo]) });

  async function left(): Promise<readonly string[]> {
    await applyRetention(retentionDeps(database.db));
    const rows = await Promise.all(TABLES.map(async (table) => [table, await database.db(table).first()] as const));
    return rows.flatMap(([table, row]) => (row === undefined ? [] : [table]));
  }

  it('leaves a connection alone whose integration is being erased: its clean-up is still due', async () => {
    for (const table of ['integrations', 'connections']) await mark(table, 23);
    expect(await left()).to.deep.equal(TABLES);
  });

  it('erases an integration whose erasure failed for good', async () => {
    for (const table of ['integrations', 'connections']) await mark(table, 25);
    expect(await left()).to.deep.equal(['environments', 'connect_sessions', 'operations']);
  });

  it('leaves an environment alone that is being erased', async () => {
    for (const table of ['environments', 'integrations', 'connections']) await mark(table, 23);
    expect(await left()).to.deep.equal(TABLES);
  });

  it('erases an environment whose erasure failed for good', async () => {
    await mark('environments', 25);
    expect(await left()).to.deep.equal([]);
  });

  for (const [what, query] of Object.entries(LOOK_UPS)) {
    it(`finds ${what} without reading the whole table`, async () => {
      const plan = await database.db.transaction(async (trx) => {
        await trx.raw('set local enable_seqscan = off'); // an empty table is read whole if it may be
        const { rows }: { rows: { 'QUERY PLAN': string }[] } = await trx.raw(`explain ${query}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan)
        .to.match(/Index Cond/)
        .and.not.to.contain('Seq Scan');
    });
  }
});
