import { PgBoss } from 'pg-boss';
import { clientConfig } from './database.ts';

/**
 * Creates or updates the tables of the queue, on a connection of its own because pg-boss brings its own transaction. A newer
 * schema is left alone.
 */
export async function installQueueSchema(url: string): Promise<void> {
  const { application_name = 'svc', connectionTimeoutMillis = 0 } = clientConfig(url);
  const boss = new PgBoss({
    connectionString: url,
    application_name,
    connectionTimeoutMillis,
    max: 1,
    supervise: false,
    schedule: false,
  });
  let fault: Error | undefined;
  boss.on('error', (error) => {
    fault ??= error;
  });
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
  if (fault) throw fault;
}
