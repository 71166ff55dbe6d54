import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { ClockCheck } from '../../core/db/clock-check.ts';
import { DatabaseTime } from '../../core/db/database-time.ts';
import { maintainPartitions } from '../../core/journal/operation-log/partitions.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { startApp } from '../support/app.ts';
import { mustBe } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv, type ServiceEnv } from '../support/service-env.ts';
import { skipBecause } from '../support/skip.ts';
import { use } from '../support/use.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('a machine whose clock is wrong', function () {
  this.timeout(60_000);
  const database = use(this, cloneDatabase);

  /** Returns the options of a service on a machine whose clock is wrong by `offset`; undefined if faketime is not installed. */
  function wrongBy(offset: string) {
    const preload = { LD_PRELOAD: faketime(), FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    if (preload.LD_PRELOAD === undefined) return undefined;
    return { env: { ...newServiceEnv(), DATABASE_URL: database.url, ...preload } as ServiceEnv };
  }

  for (const offset of ['+40d', '-40d', '+11m'])
    it(`does not start the service: ${offset}`, async function () {
      const options = wrongBy(offset);
      if (options === undefined) skipBecause(this, 'faketime is not installed');
      await using service = new ServiceProcess({ ...options, port: await freePort() });
      expect(await service.exit).to.deep.equal({ code: 1, signal: null });
      const { stderr } = service.output;
      expect(stderr).to.match(
        new RegExp(`clock of this machine is \\d+ s ${offset.startsWith('+') ? 'ahead of' : 'behind'} that of the database`),
      );
      expect(stderr).to.not.contain('    at ');
    });

  it('causes a warning when it is off by five minutes, and changes nothing', async function () {
    const options = wrongBy('+5m');
    if (options === undefined) skipBecause(this, 'faketime is not installed');
    await using service = await startService(options);
    expect(service.output.stdout).to.match(
      /clock of this machine is \d+ s ahead of that of the database: the service uses the clock of the database/,
    );
    const api = client(service.url, options.env.SVC_BOOTSTRAP_API_KEY);
    expect((await api.get('/ready')).body).to.deep.equal({ result: 'ok' });
    const session = await api.post('/connect/sessions', {});
    mustBe(201, session);
    expect(Date.parse(session.body.data.expires_at) - Date.now()).to.be.closeTo(30 * MINUTE_MS, MINUTE_MS);
  });

  it('is reported by /ready, while all requests are served', async () => {
    let aheadMs = 0;
    await using app = await startApp({ machineNow: () => Date.now() + aheadMs });
    expect((await app.api.get('/ready')).body).to.deep.equal({ result: 'ok' });
    aheadMs = -11 * MINUTE_MS;
    await app.services.clockCheck.compare();
    const { status, body } = await app.api.get('/ready');
    expect({ status, body }).to.deep.equal({ status: 200, body: { result: 'degraded', cause: 'clock_off' } });
    expect((await app.client().get('/metrics')).text).to.contain('svc_degraded{cause="clock_off"} 1\n');
    mustBe(200, await app.api.get('/connections'));
    expect(app.logLines.join()).to.contain('nothing is removed by age until the clocks agree');
  });

  it('deletes nothing for its age while the clock is wrong, and deletes again when it is right', async () => {
    const { db } = database;
    const log = createLogger({ level: 'silent' });
    let aheadMs = 0;
    const machineNow = () => Date.now() + aheadMs;
    using clockCheck = await ClockCheck.start({ db, log, time: new DatabaseTime(), machineNow });
    const limits = { logRetentionDays: 15, logMaxBytes: 2 ** 32 };
    const maintain = () => maintainPartitions({ db, clock: { now: () => new Date(machineNow()) }, clockCheck, log, ...limits });
    const isThere = async (name: string) => (await db.raw('select to_regclass(?) as found', [name])).rows[0].found !== null;
    await maintain();
    const { rows } = await db.raw(
      `select relname from pg_class where relname like 'operation_log_2%' and relispartition limit 1`,
    );
    const [{ relname: present }] = rows;

    aheadMs = 40 * DAY_MS;
    await clockCheck.compare();
    expect(clockCheck.isOff).to.equal(true);
    await maintain();
    expect(await isThere(present)).to.equal(true);

    // This shows that only the check of the clock has saved the partition: without it, the wrong clock decides, and the partition
    // is deleted.
    await maintainPartitions({
      ...{ db, log, ...limits, clockCheck: { isOff: false } },
      clock: { now: () => new Date(machineNow()) },
    });
    expect(await isThere(present)).to.equal(false);
    aheadMs = 0;
    await clockCheck.compare();
    expect(clockCheck.isOff).to.equal(false);
  });
});

/** Returns the path of the library that makes the clock of a process wrong; undefined if it is not installed. */
function faketime(): string | undefined {
  try {
    return execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
