import { expect } from 'chai';
import { Activity } from '../../../../core/journal/operation-log/activity.ts';
import { type FollowedOperation, followOperations } from '../../../../core/journal/operation-log/follow-operations.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { insertAccount, insertEnvironment } from '../../../../core/tenants/environments/environment-store.ts';
import { TestClock } from '../../../support/clock.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { useEach } from '../../../support/use.ts';

const log = createLogger({ level: 'silent' });

describe('followers of the operation log', function () {
  const database = useEach(this, cloneDatabase);
  const clock = new TestClock();
  const one = useEach(this, () => new Activity({ db: database.db, clock, log }));
  const other = useEach(this, () => new Activity({ db: database.db, clock, log }));
  let ids: readonly number[];

  beforeEach(async () => {
    const accountId = await insertAccount(database.db, 'a');
    const made = [];
    for (const name of ['e', 'f']) made.push((await insertEnvironment(database.db, { accountId, name })).id);
    ids = made;
  });

  const begin = (activity: Activity, environmentId = ids[0] ?? 0) =>
    activity.begin({ type: 'proxy', operation: 'GET', environmentId });
  const follow = (ended: AbortSignal, after?: string) =>
    followOperations({ db: database.db, clock }, ids[0] ?? 0, { ended, after });

  async function next(stream: AsyncGenerator<FollowedOperation>): Promise<FollowedOperation> {
    const { value } = await stream.next();
    if (!value) throw new Error('the stream has ended');
    return value;
  }

  it('receive operations of any instance, even if committed late, but none of other environments', async () => {
    const stopped = new AbortController();
    const stream = follow(stopped.signal);
    const { eventId: begun } = await next(stream);
    const late = begin(one);
    const early = begin(other);
    const first = next(stream);
    const heard = await database.db.transaction(async (trx) => {
      await late.endIn(trx, 'success', 'c');
      begin(other, ids[1]).end('success');
      early.end('success');
      await other.flush();
      return first;
    });
    expect(heard.operation?.id).to.equal(early.id);
    expect((await next(stream)).operation?.id).to.equal(late.id);
    const resumed = follow(stopped.signal, heard.eventId);
    await next(resumed);
    const again = [(await next(resumed)).operation?.id, (await next(resumed)).operation?.id];
    expect(again).to.have.members([early.id, late.id]);
    const fromTheBeginning = follow(stopped.signal, begun);
    await next(fromTheBeginning);
    const all = [(await next(fromTheBeginning)).operation?.id, (await next(fromTheBeginning)).operation?.id];
    expect(all).to.have.members([early.id, late.id]);
    stopped.abort();
    expect((await stream.next()).done).to.equal(true);
    expect((await resumed.next()).done).to.equal(true);
  });
});
