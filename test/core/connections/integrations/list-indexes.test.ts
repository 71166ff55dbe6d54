import { expect } from 'chai';
import {
  failedMessages,
  failingScripts,
  failingTargets,
  overdueWork,
  unhealthyIntegrations,
  waitingTargets,
} from '../../../../core/api/dashboard/attention-store.ts';
import { connectionCounts, environmentCounts } from '../../../../core/connections/connection-counts-store.ts';
import {
  countIntegrations,
  integrationPage,
  type OverviewFilter,
} from '../../../../core/connections/integrations/overview-store.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database.ts';
import { plansOf, tablesRead } from '../../../support/plans.ts';

const PAGE = 51;

/** Creates 40 environments, each with 100 integrations of 5 connections and a script, and with 50 targets of 5 messages. */
const FILL = `
  insert into accounts (name) values ('a');
  insert into environments (account_id, name) select id, 'e' || n from accounts, generate_series(1, 40) n;
  insert into integrations (environment_id, unique_key, provider, display_name, client, mac)
    select id, 'i' || n, 'p' || n % 20, 'Integration ' || n, repeat('x', 200)::bytea, '' from environments, generate_series(1, 100) n;
  insert into connections (environment_id, integration_id, connection_id, credentials, state)
    select environment_id, id, 'c' || n, repeat('x', 200)::bytea, case when n = 5 then 'needs_reauth' else 'healthy' end
    from integrations, generate_series(1, 5) n;
  insert into scripts (environment_id, integration_id, event) select environment_id, id, 'on-webhook' from integrations;
  insert into script_runs (id, environment_id, script_id, version, status, started_at, duration_ms, memory_mb)
    select gen_random_uuid(), environment_id, id, 1, 'failed', now() - make_interval(mins => n), 1, 1
    from scripts, generate_series(1, 3) n;
  insert into webhook_targets (environment_id, slot, url, failures)
    select id, 'override', 'https://' || n || '.example', 9 from environments, generate_series(1, 50) n;
  insert into webhook_messages (message_id, environment_id, target_id, type, status, content)
    select 'm' || n || '-' || id, environment_id, id, 'auth', case when n = 5 then 'failed' else 'delivered' end, ''
    from webhook_targets, generate_series(1, 5) n;`;
const FILLED = ['integrations', 'connections', 'scripts', 'script_runs', 'webhook_targets', 'webhook_messages'] as const;

describe('the data of one environment among many on the dashboard', () => {
  let database: TestDatabase;
  let environmentId: number;
  let integrationIds: readonly number[];

  before(async function () {
    this.timeout(60_000);
    database = await cloneDatabase();
    const { db } = database;
    await db.raw(FILL);
    for (const table of FILLED) await db.raw('vacuum analyze :table:', { table });
    ({ id: environmentId } = await db('environments').first('id'));
    integrationIds = await db('integrations').where({ environment_id: environmentId }).limit(PAGE).pluck('id');
  });

  after(() => database[Symbol.asyncDispose]());

  const integrations = (filter: Partial<OverviewFilter>) => () =>
    integrationPage(database.db, environmentId, { order: 'name', limit: PAGE, ...filter });
  const wanted = () => ({ environmentId, limit: 10 });

  const LISTS: Readonly<Record<string, () => Promise<unknown>>> = {
    'integrations by name': integrations({}),
    'integrations after another': integrations({ after: { at: 'Integration 5', id: 5 } }),
    'integrations by their last change': integrations({ order: 'updated' }),
    'integrations changed before another': integrations({ order: 'updated', after: { at: Date.now() * 1000, id: 5 } }),
    'integrations by a part of their name': integrations({ search: 'tion 7' }),
    'integrations of some providers': integrations({ providers: ['p7', 'p8'] }),
    'the number of integrations': () => countIntegrations(database.db, environmentId, {}),
    'the numbers of their connections': () => connectionCounts(database.db, environmentId, integrationIds),
    'the numbers of all connections': () => environmentCounts(database.db, environmentId),
    'integrations to reconnect': () => unhealthyIntegrations(database.db, { ...wanted(), state: 'needs_reauth' }),
    'targets with waiting webhooks': () => waitingTargets(database.db, wanted()),
    'overdue work': () => overdueWork(database.db, environmentId),
    'scripts that fail': () => failingScripts(database.db, wanted()),
    'targets that fail': () => failingTargets(database.db, wanted()),
    'messages that were given up': () => failedMessages(database.db, environmentId),
  };
  for (const [what, list] of Object.entries(LISTS))
    it(`is found by an index: ${what}`, async () => {
      const plans = await plansOf(database.db, list);
      expect(plans).to.contain('Index');
      expect(await tablesRead(database.db, plans), plans).to.deep.equal([]);
    });
});
