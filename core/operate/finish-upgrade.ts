import type { LifecycleDeps } from '../connect/deps.ts';
import { authenticateIntegrations } from '../connections/integrations/integration-store.ts';
import { resealConnections } from '../connections/reseal-store.ts';
import { withTransaction } from '../db/transaction.ts';
import { hasQueuedWebhookOfVersion1 } from '../scripts/script-queue-store.ts';
import { authenticateKeys } from '../tenants/api-keys/api-key-store.ts';
import { finishVersion1, mayFinishVersion1 } from './keys/encryption-keys.ts';

const PAGE = 200;

/**
 * Once no instance of the previous release can be running: converts what they wrote to the newest form, then records that for
 * every instance. Older forms are rejected from then on. If interrupted, it is repeated.
 */
export async function finishUpgrade({ db, keys, log }: LifecycleDeps): Promise<void> {
  if (!keys.allowsVersion1 || !(await mayFinishVersion1(db))) return;
  if (await hasQueuedWebhookOfVersion1(db)) return;
  keys.allowVersion1(0);
  await inPages((page) => resealConnections({ db, keys }, page));
  await inPages((page) => withTransaction(db, (trx) => authenticateIntegrations({ db: trx, keys }, page)));
  while ((await authenticateKeys({ db, keys }, PAGE)) > 0);
  await finishVersion1(db, keys);
  log.info('all stored values are in the newest form; older ones are refused from now on');
}

/** @param work one page of rows after an ID; returns the ID of its last row */
async function inPages(work: (page: { afterId: number; limit: number }) => Promise<number | undefined>): Promise<void> {
  for (let afterId: number | undefined = 0; afterId !== undefined; ) afterId = await work({ afterId, limit: PAGE });
}
