import { expect } from 'chai';
import { ClockCheck } from '../../../core/db/clock-check.ts';
import { DatabaseTime } from '../../../core/db/database-time.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase } from '../../support/database.ts';
import { use } from '../../support/use.ts';

describe('the clock of this machine', function () {
  const database = use(this, cloneDatabase);

  /** Compares the clocks while this machine's is so many seconds ahead, one reading after the other. @returns what is logged */
  async function logged(secondsAhead: readonly number[]): Promise<readonly string[]> {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', write: (line) => lines.push(line) });
    let ahead = 0;
    const machineNow = () => Date.now() + ahead * 1_000;
    using check = await ClockCheck.start({ db: database.db, log, time: new DatabaseTime(), machineNow });
    for (ahead of secondsAhead) await check.compare();
    return lines.map((line) => /(\d+ s ahead|agrees)/.exec(line)?.[0] ?? line);
  }

  it('is reported when it drifts slowly, and at every further minute', async () => {
    expect(await logged([20, 40, 59, 70, 100, 131, 150, 200])).to.deep.equal(['70 s ahead', '131 s ahead', '200 s ahead']);
  });

  it('is reported to agree again, once, also after a slow correction', async () => {
    expect(await logged([80, 70, 59, 45, 29, 10, 0])).to.deep.equal(['80 s ahead', 'agrees']);
  });

  it('is not reported again and again when it is near the limit', async () => {
    expect(await logged([62, 59, 62, 58, 63])).to.deep.equal(['62 s ahead']);
  });
});
