import { expect } from 'chai';
import { isAlive } from '../../support/is-alive.ts';
import { type Postgres15, startPostgres15 } from '../../support/postgres-15.ts';
import { startService } from '../../support/processes.ts';
import { newServiceEnv } from '../../support/service-env.ts';
import { query } from '../db/programs/cluster.ts';

describe('a Postgres 15 for tests', function () {
  this.timeout(60_000);
  let postgres: Postgres15;

  before(async function () {
    postgres = await startPostgres15(this, { max_connections: '40' });
  });
  after(() => postgres?.[Symbol.asyncDispose]());

  it('is of that version, reached over TCP, with the given settings', async () => {
    const [row] = await query(
      postgres.url,
      `select current_setting('server_version_num') as version,
      current_setting('max_connections') as connections, host(inet_server_addr()) as address`,
    );
    expect(row?.['version']).to.match(/^15/);
    expect(row).to.include({ connections: '40', address: '127.0.0.1' });
  });

  it('carries the service, from an empty database and from one that was migrated', async () => {
    await using empty = await postgres.emptyDatabase();
    await using migrated = await postgres.cloneDatabase();
    for (const { url } of [empty, migrated]) {
      await using service = await startService({ env: { ...newServiceEnv(), DATABASE_URL: url } });
      expect((await fetch(`${service.url}/ready`)).status).to.equal(200);
    }
  });

  it('is gone after disposal', async function () {
    const own = await startPostgres15(this);
    await own[Symbol.asyncDispose]();
    expect(isAlive(own.pid)).to.equal(false);
  });
});
