import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { Listener } from '../../../core/db/listener.ts';
import { createNotices, type Notices } from '../../../core/db/notices.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { cloneDatabase } from '../../support/database.ts';
import { useEach } from '../../support/use.ts';

describe('notices', function () {
  const database = useEach(this, cloneDatabase);
  const listener = useEach(this, () => new Listener({ url: database.url, log: createLogger({ level: 'silent' }) }));
  let notices: Notices;
  let seen: EventEmitter<{ change: [string]; gap: [] }>;
  let changes: string[];

  beforeEach(async () => {
    notices = createNotices(listener);
    seen = new EventEmitter();
    changes = [];
    seen.on('change', (key) => changes.push(key));
    const listening = once(seen, 'gap');
    notices.subscribe(
      'connection',
      (key) => seen.emit('change', key),
      () => seen.emit('gap'),
    );
    await listening;
  });

  it('arrive after the commit of the transaction that sent them, and never when it rolled back', async () => {
    await withTransaction(database.db, async (trx) => {
      await notices.publish(trx, 'connection', 'rolled back');
      throw new Error('no');
    }).catch(() => undefined);
    const arrival = once(seen, 'change');
    await withTransaction(database.db, async (trx) => {
      await notices.publish(trx, 'connection', 'committed');
      // A notice that was sent before the commit would have arrived before this response.
      await database.db.raw('select 1');
      expect(changes).to.deep.equal([]);
    });
    await arrival;
    expect(changes).to.deep.equal(['committed']);
  });

  it('arrive only at the topic they were sent to, and not after the end of the subscription', async () => {
    const other: string[] = [];
    const end = notices.subscribe(
      'integration',
      (key) => other.push(key),
      () => undefined,
    );
    await notices.publish(database.db, 'integration', 'first');
    await published('marker');
    end();
    await notices.publish(database.db, 'integration', 'second');
    await published('marker');
    expect(other).to.deep.equal(['first']);
    expect(changes).to.deep.equal(['marker', 'marker']);
  });

  it('carry keys with any characters', async () => {
    await published(`a "key" with 'quotes',\nlines and ünïcode`);
  });

  it('report a gap after the connection was lost, and arrive again', async () => {
    const gap = once(seen, 'gap');
    // The listener's session is the one whose last statement was LISTEN or the heartbeat.
    const { rowCount } = await database.db.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where (query like 'listen%' or query = 'select 1') and datname = current_database()`,
    );
    expect(rowCount, 'listeners').to.equal(1);
    await gap;
    await published('after the gap');
  });

  async function published(key: string): Promise<void> {
    const arrival = once(seen, 'change');
    await notices.publish(database.db, 'connection', key);
    expect(await arrival).to.deep.equal([key]);
  }
});
