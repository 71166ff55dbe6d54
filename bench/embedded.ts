import type { Knex } from 'knex';
import { openDatabase } from '../core/db/database.ts';
import { startEmbeddedPostgres } from '../core/db/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../core/db/migrate.ts';
import { createLogger } from '../core/kit/logger.ts';
import { insertAccount, insertEnvironment } from '../core/tenants/environments/environment-store.ts';
import { temporaryDiskFolder } from '../test/support/folders.ts';

export interface Embedded {
  readonly url: string;
  readonly db: Knex;
  readonly environmentId: number;
}

/** Starts a new embedded database with one environment, without the service. */
export async function startEmbedded(stack: AsyncDisposableStack): Promise<Embedded> {
  const log = createLogger({ level: 'silent' });
  const { path: dataDir } = stack.use(await temporaryDiskFolder());
  const { url } = stack.use(await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log }));
  await migrate({ url, log });
  const db = openDatabase({ url, poolSize: 2, queryTimeoutMs: 0, log });
  stack.defer(() => db.destroy());
  const accountId = await insertAccount(db, 'bench');
  const { id: environmentId } = await insertEnvironment(db, { accountId, name: 'bench' });
  return { url, db, environmentId };
}
