import { expect } from 'chai';
import type { AuditFilter } from '../../../../core/journal/audit-trail/audit-store.ts';
import { auditPage } from '../../../../core/journal/audit-trail/trail.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database.ts';
import { plansOf, tablesRead } from '../../../support/plans.ts';

const ROWS = 20_000;
const LIMIT = 50;
const DAY_MS = 24 * 60 * 60_000;
/** The number of entries that a page may read: its own, and those in between that a second filter discards. */
const FEW = 1_000;

describe('pages of a long audit trail', () => {
  let database: TestDatabase;

  before(async function () {
    this.timeout(60_000);
    database = await cloneDatabase();
    const { db } = database;
    // An entry every five minutes. Rare values are the oldest, which a walk from the newest entry reaches last.
    await db.raw(
      `insert into audit_entries (sequence, at, account_id, environment_id, actor_kind, actor_id, action, subject_type, facts,
                                  previous_mac, mac, key_id)
       select n, now() - make_interval(mins => 5 * (:rows - n)), 1, case when n <= 20 then 9 when n % 3 > 0 then n % 3 end,
              case when n % 20 = 0 then 'api_key' else 'member' end, case when n <= 20 then '99' else (n % 7)::text end,
              case when n <= 20 then 'account.create' else 'member.sign_in' end, 'member', '{}', '', '', 1
       from generate_series(1, :rows) n`,
      { rows: ROWS },
    );
    await db.raw('vacuum analyze audit_entries');
  });

  after(() => database[Symbol.asyncDispose]());

  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const FILTERS: Readonly<Record<string, () => Omit<AuditFilter, 'accountId'>>> = {
    'whatever is newest': () => ({}),
    'a frequent action': () => ({ action: 'member.sign_in' }),
    'a rare action': () => ({ action: 'account.create' }),
    'an action that never happened': () => ({ action: 'audit.anchor' }),
    'a kind of actor': () => ({ actorKind: 'api_key' }),
    'an actor': () => ({ actorKind: 'member', actorId: '99' }),
    'an environment': () => ({ environmentId: 1 }),
    'an environment that was used long ago': () => ({ environmentId: 9 }),
    'the last day': () => ({ since: ago(1) }),
    'a former day': () => ({ since: ago(40), until: ago(39) }),
    'the time before': () => ({ until: ago(69) }),
    'an action in a former day': () => ({ action: 'member.sign_in', since: ago(40), until: ago(39) }),
    'an environment in a former day': () => ({ environmentId: 1, since: ago(40), until: ago(39) }),
    'an actor in a period': () => ({ actorKind: 'member', actorId: '99', since: ago(3) }),
  };
  for (const [what, filterOf] of Object.entries(FILTERS))
    it(`read few entries, by ${what}`, async () => {
      const first = await readFew(filterOf());
      if (first.next !== undefined) await readFew(filterOf(), first.next);
    });

  /** Reads a page, and expects that the statement found it by an index and read few entries that it discards. */
  async function readFew(filter: Omit<AuditFilter, 'accountId'>, before?: number) {
    const work = () => auditPage(database.db, { accountId: 1, ...filter }, { before, limit: LIMIT });
    const plan = await plansOf(database.db, work, 'explain (analyze, costs off, timing off, summary off)');
    expect(plan).to.contain('Index');
    expect(await tablesRead(database.db, plan), plan).to.deep.equal([]);
    const figures = plan.matchAll(/rows=([\d.]+)|Removed by Filter: (\d+)/g);
    const read = Math.max(...Array.from(figures, ([, returned, removed]) => Number(returned ?? removed)));
    expect(read, plan).to.be.below(FEW);
    return work();
  }
});
