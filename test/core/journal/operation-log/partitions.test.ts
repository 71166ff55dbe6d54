import { expect } from 'chai';
import { withTransaction } from '../../../../core/db/transaction.ts';
import { Activity } from '../../../../core/journal/operation-log/activity.ts';
import { alone, listPartitions } from '../../../../core/journal/operation-log/partition-store.ts';
import { maintainPartitions, widthFor } from '../../../../core/journal/operation-log/partitions.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { insertAccount, insertEnvironment } from '../../../../core/tenants/environments/environment-store.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { until } from '../../../support/until.ts';
import { useEach } from '../../../support/use.ts';

const log = createLogger({ level: 'silent' });
const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-15T01:10:00Z');

describe('the partitions of the operation log', function () {
  const database = useEach(this, cloneDatabase);
  let now = new Date(START);
  const clock = { now: () => now };
  const activity = useEach(this, () => new Activity({ db: database.db, clock, log }));
  let environmentId: number;

  beforeEach(async () => {
    now = new Date(START);
    const accountId = await insertAccount(database.db, 'a');
    ({ id: environmentId } = await insertEnvironment(database.db, { accountId, name: 'e' }));
  });

  const maintain = (limits = {}, clockCheck = { isOff: false }) =>
    maintainPartitions({ db: database.db, clock, clockCheck, log, logRetentionDays: 15, logMaxBytes: 4096 * MB, ...limits });
  const times = async () =>
    (await listPartitions(database.db)).map(
      ({ from, to }) => `${from.toISOString().slice(0, 16)} ${to.toISOString().slice(11, 16)}`,
    );

  /** Writes operations to the log. @returns the ID of the last one */
  async function write(count = 1): Promise<string> {
    let id = '';
    for (let one = 0; one < count; one += 1) {
      const operation = activity.begin({ type: 'proxy', operation: 'GET', environmentId });
      operation.note('info', 'x'.repeat(1_000));
      operation.end('success');
      ({ id } = operation);
    }
    await activity.flush();
    return id;
  }

  const whereIs = async (id: string): Promise<string> => {
    const found = database.db('operation_log').where({ id });
    return (await found.first(database.db.raw('tableoid::regclass::text as name')))?.name;
  };

  it('are created in advance, each at the end of the last one', async () => {
    await maintain();
    expect(await times()).to.deep.equal(['2026-01-15T00:00 06:00']);
    now = new Date(START + 4.6 * HOUR_MS);
    await maintain();
    await maintain();
    expect(await times()).to.deep.equal(['2026-01-15T00:00 06:00', '2026-01-15T06:00 12:00']);
  });

  it('contain what is written in their time', async () => {
    await maintain();
    expect(await whereIs(await write())).to.equal('operation_log_202601150000');
  });

  it('adopt what was written before they were created', async () => {
    const id = await write();
    expect(await whereIs(id)).to.equal('operation_log_default');
    await maintain();
    expect(await whereIs(id)).to.equal('operation_log_202601150000');
    expect(await database.db('operation_log_default')).to.deep.equal([]);
  });

  it('adopt what is being written while they are created', async () => {
    const { db } = database;
    const waiting = () =>
      db('pg_stat_activity').whereRaw("datname = current_database() and wait_event_type = 'Lock'").pluck('pid');
    const operation = activity.begin({ type: 'auth', operation: 'connect', environmentId });
    const reader = await db.transaction();
    await reader.raw('select from operation_log_default');
    const maintained = maintain();
    await until('the partition waits for the default one', async () => (await waiting()).length === 1);
    const written = withTransaction(db, (trx) => operation.endIn(trx, 'success', 'c-1'));
    await until('the writer waits', async () => (await waiting()).length === 2);
    await reader.commit();
    await Promise.all([maintained, written]);
    expect(await whereIs(operation.id)).to.equal('operation_log_202601150000');
  });

  it('are left to another instance that maintains them at the same time', async () => {
    await alone(database.db, async () => {
      await maintain();
    });
    expect(await times()).to.deep.equal([]);
  });

  it('are dropped when all their operations are too old', async () => {
    await maintain();
    const id = await write();
    now = new Date(START + 15 * 24 * HOUR_MS);
    await maintain();
    expect(await whereIs(id)).to.equal('operation_log_202601150000');
    now = new Date(START + 15 * 24 * HOUR_MS + 5 * HOUR_MS);
    await maintain();
    expect(await whereIs(id)).to.equal(undefined);
  });

  it('are dropped, the oldest first, when the log is too large, except for the current one', async () => {
    const ids: string[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      now = new Date(START + hour * HOUR_MS);
      await maintain({ logRetentionDays: 1 });
      ids.push(await write(800));
    }
    const bytes = (await listPartitions(database.db)).reduce((sum, partition) => sum + partition.bytes, 0);
    await maintain({ logMaxBytes: bytes - 1, logRetentionDays: 1 });
    const kept = await Promise.all(ids.map(whereIs));
    expect(kept).to.deep.equal([undefined, 'operation_log_202601150200', 'operation_log_202601150300']);
    await maintain({ logMaxBytes: 1, logRetentionDays: 1 });
    expect(await whereIs(ids[2] ?? '')).to.equal('operation_log_202601150300');
  });

  it('end sooner when much more is written than expected, and lose nothing', async () => {
    await maintain();
    expect(await times()).to.deep.equal(['2026-01-15T00:00 06:00']);
    const id = await write(800);
    await maintain({ logMaxBytes: MB });
    expect(await times()).to.deep.equal(['2026-01-15T00:00 01:30']);
    expect(await whereIs(id)).to.equal('operation_log_202601150000');
    now = new Date(START + HOUR_MS / 2);
    await maintain({ logMaxBytes: MB });
    expect(await whereIs(id)).to.equal(undefined);
    expect(await whereIs(await write())).to.equal('operation_log_202601150140');
  });

  const WIDTHS: ReadonlyArray<readonly [days: number, maxMb: number, mbPerHour: number, hours: number]> = [
    [15, 4096, 0, 6],
    [1, 4096, 0, 1],
    [3650, 4096, 0, 168],
    [15, 4096, 300, 1],
    [15, 64, 300, 1 / 6],
  ];
  for (const [logRetentionDays, maxMb, mbPerHour, hours] of WIDTHS)
    it(`span ${Math.round(hours * 60)} minutes at ${mbPerHour} MB/h within ${maxMb} MB and ${logRetentionDays} days`, () => {
      const widthMs = widthFor({ logRetentionDays, logMaxBytes: maxMb * MB }, (mbPerHour * MB) / HOUR_MS);
      expect(widthMs).to.equal(hours * HOUR_MS);
    });
});
