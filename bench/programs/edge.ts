import { openDatabase } from '../../core/db/database.ts';
import { Activity } from '../../core/journal/operation-log/activity.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { startProxy } from '../../test/support/proxy-harness.ts';

/**
 * Runs svc's proxy behind its HTTP edge, with look-ups in memory so that only svc's code is measured. The operation log is
 * written only if a database URL is given.
 */
const [target = '', databaseUrl] = process.argv.slice(2);
const operation = {
  id: '',
  note: () => undefined,
  describe: () => undefined,
  end: () => undefined,
  endIn: async () => undefined,
};
const noActivity = { begin: () => operation, takesRoutine: () => false };
const { edge } = await startProxy({
  proxy: { base_url: target },
  activity: databaseUrl === undefined ? noActivity : activityIn(databaseUrl),
});
console.log(edge.port);

function activityIn(url: string): Activity {
  const log = createLogger({ level: 'warn' });
  return new Activity({ db: openDatabase({ url, log }), clock: systemClock, log });
}
