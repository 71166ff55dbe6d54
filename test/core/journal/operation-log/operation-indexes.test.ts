import { expect } from 'chai';
import { countsSince } from '../../../../core/journal/operation-log/count-store.ts';
import { failuresByIntegration } from '../../../../core/journal/operation-log/failure-store.ts';
import type { OperationFilter } from '../../../../core/journal/operation-log/list-store.ts';
import { operationPage } from '../../../../core/journal/operation-log/operation-page.ts';
import { newTimedId } from '../../../../core/kit/random-id.ts';
import { latestReceived } from '../../../../core/webhook-ingress/received-store.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database.ts';
import { connectionOf, integrationOf, storeManyOperations } from '../../../support/many-operations.ts';
import { plansOf, tablesRead } from '../../../support/plans.ts';
import { insertConnection } from '../../support/insert-connection.ts';

const LIMIT = 101;
const HOUR_MS = 3_600_000;

describe('pages of a large operation log', () => {
  let database: TestDatabase;
  let environmentId: number;

  before(async function () {
    this.timeout(60_000);
    database = await cloneDatabase();
    const { db } = database;
    await insertConnection(db, {});
    ({ environment_id: environmentId } = await db('connections').first('environment_id'));
    await storeManyOperations(db, { environmentId, count: 20_000, days: 1, made: 2_000 });
    await db.raw(
      `insert into operation_counts (environment_id, hour, kind, status, count)
       select ?, date_trunc('hour', now()) - make_interval(hours => n), 'script', 'success', 1 from generate_series(1, 5000) n`,
      [environmentId],
    );
    await db.raw('vacuum analyze operation_counts');
  });

  after(() => database[Symbol.asyncDispose]());

  async function expectIndexes(work: () => Promise<unknown>): Promise<void> {
    const plans = await plansOf(database.db, work);
    expect(plans).to.contain('Index');
    expect(await tablesRead(database.db, plans), plans).to.deep.equal([]);
  }

  const FILTERS: Readonly<Record<string, () => OperationFilter>> = {
    'whatever is newest': () => ({}),
    'a connection': () => ({ connectionId: connectionOf(7) }),
    'an integration': () => ({ integrations: [integrationOf(7)] }),
    'what failed': () => ({ statuses: ['failure'] }),
    'a type': () => ({ types: ['admin'] }),
    'an hour': () => ({ since: new Date(Date.now() - 8 * HOUR_MS), until: new Date(Date.now() - 7 * HOUR_MS) }),
    'an actor': () => ({ actor: { kind: 'api_key', id: '7' } }),
    'an error code': () => ({ errorCode: 'code_7' }),
    'an HTTP status': () => ({ httpStatus: 404 }),
    'a rare word': () => ({ search: '1234' }),
    'a word that is nowhere': () => ({ search: 'nowhere' }),
    'the ID of an operation or a request': () => ({ search: newTimedId(new Date()) }),
  };
  for (const [what, filterOf] of Object.entries(FILTERS))
    it(`are found by an index, by ${what}`, () =>
      expectIndexes(() => operationPage(database.db, environmentId, { ...filterOf(), limit: LIMIT, now: new Date() })));

  it('begin after another page by an index', async () => {
    const { db } = database;
    const { next } = await operationPage(db, environmentId, { limit: LIMIT, now: new Date() });
    await expectIndexes(() => operationPage(db, environmentId, { limit: LIMIT, before: next ?? '', now: new Date() }));
  });

  it('are summed up by an index', () =>
    expectIndexes(() => countsSince(database.db, environmentId, new Date(Date.now() - 24 * HOUR_MS))));

  it('yield the failures of each integration by an index', () =>
    expectIndexes(() => failuresByIntegration(database.db, environmentId, new Date(Date.now() - 24 * HOUR_MS))));

  it('are found by an index for deliveries that were received', () =>
    expectIndexes(() => latestReceived(database.db, { environmentId, uniqueKeys: [integrationOf(7)] }, 20)));
});
