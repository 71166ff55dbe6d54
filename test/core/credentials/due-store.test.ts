import { expect } from 'chai';
import type { Knex } from 'knex';
import { insertIntegration } from '../../../core/connections/integrations/integration-store.ts';
import { isDue, writeRefresh } from '../../../core/credentials/due-store.ts';
import { KeyRing, newKeyRingText } from '../../../core/kit/key-ring.ts';
import { newConnectionId } from '../../../core/kit/random-id.ts';
import { insertAccount, insertEnvironment } from '../../../core/tenants/environments/environment-store.ts';
import { cloneDatabase } from '../../support/database.ts';
import { type SeededRandom, withSeededRandom } from '../../support/seeded-random.ts';

const ROWS = 500;
/** The refresh margin of each provider, in seconds. */
const MARGINS = { patient: 7200, hurried: 30, usual: 900 };
const PROVIDERS = ['patient', 'hurried', 'usual'] as const;

interface Row {
  readonly provider: (typeof PROVIDERS)[number];
  readonly generation: number;
  readonly lifetimeSeconds: number;
  readonly leftSeconds: number;
}

describe('the credentials that a worker finds due', () => {
  it('are those that callers would refresh, whatever the lifetime, the time left and the margin', () =>
    withSeededRandom(async (random) => {
      await using database = await cloneDatabase();
      await database.db.transaction(async (trx) => {
        const owners = await insertIntegrations(trx);
        const rows = Array.from({ length: ROWS }, () => randomRow(random));
        const ids = await insertRows(trx, owners, rows);
        for (const [index, { provider }] of rows.entries())
          await writeRefresh(trx, placeOf(owners, provider, ids[index]), ruleOf(provider));
        const found = new Set(await trx('refreshes').whereRaw('due_at <= now()').pluck('connection_id'));
        const expected = rows.map((row) => isDueByCode(row));
        expect(expected, 'both outcomes are among them').to.include(true).and.to.include(false);
        expect(rows.filter((_, index) => found.has(ids[index] ?? 0) !== expected[index])).to.deep.equal([]);
      });
    }));
});

function placeOf(owners: ReadonlyMap<string, Owner>, provider: string, id = 0) {
  return { id, environmentId: owners.get(provider)?.environmentId ?? 0 };
}

function ruleOf(provider: Row['provider']) {
  return { marginSeconds: MARGINS[provider], proofHours: null, origin: 'https://provider.example', keepsLease: false };
}

/** Returns a row whose remaining time is not a whole number of seconds, so that it is never exactly on a boundary of the rule. */
function randomRow(random: SeededRandom): Row {
  const lifetimeSeconds = 3 * random.pick([0, 1, 10, 100, 1200, 12_000]) + random.below(3);
  const leftSeconds = Math.floor(lifetimeSeconds * (random.next() * 1.2 - 0.2)) + 0.5;
  return { provider: random.pick(PROVIDERS), generation: 1 + random.below(2), lifetimeSeconds, leftSeconds };
}

function isDueByCode({ provider, generation, lifetimeSeconds, leftSeconds }: Row): boolean {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + leftSeconds * 1000);
  const refreshedAt = new Date(expiresAt.getTime() - lifetimeSeconds * 1000);
  const dates = { now, generation, expiresAt, refreshedAt, lifetimeMs: lifetimeSeconds * 1000 };
  return isDue(dates, MARGINS[provider]);
}

interface Owner {
  readonly id: number;
  readonly environmentId: number;
}

async function insertIntegrations(db: Knex): Promise<ReadonlyMap<string, Owner>> {
  const environment = { accountId: await insertAccount(db, 'account'), name: newConnectionId() };
  const { id: environmentId } = await insertEnvironment(db, environment);
  const owners = new Map<string, Owner>();
  for (const provider of PROVIDERS) {
    const integration = await insertIntegration(
      { db, keys: KeyRing.parse(newKeyRingText()) },
      {
        environmentId,
        uniqueKey: provider,
        provider,
        displayName: provider,
        forwardWebhooks: true,
        client: { clientId: 'client', clientSecret: 'secret', scopes: [] },
        integrationConfig: {},
      },
    );
    if (integration !== undefined) owners.set(provider, integration);
  }
  return owners;
}

async function insertRows(db: Knex, owners: ReadonlyMap<string, Owner>, rows: readonly Row[]): Promise<number[]> {
  const at = (seconds: number) => db.raw(`now() + ? * interval '1 second'`, [seconds]);
  const inserted: { id: number }[] = await db('connections')
    .insert(
      rows.map(({ provider, generation, lifetimeSeconds, leftSeconds }) => ({
        environment_id: owners.get(provider)?.environmentId,
        integration_id: owners.get(provider)?.id,
        connection_id: newConnectionId(),
        credentials: Buffer.from('none'),
        refreshable: true,
        generation,
        expires_at: at(leftSeconds),
        refreshed_at: at(leftSeconds - lifetimeSeconds),
      })),
    )
    .returning('id');
  return inserted.map(({ id }) => id);
}
