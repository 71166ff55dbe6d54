import pLimit from 'p-limit';
import { deleteSessionsOf } from '../../connections/connect-sessions/session-store.ts';
import {
  eraseIntegration,
  type MarkedIntegration,
  markedIntegrations,
  markIntegrationsOf,
} from '../../connections/integrations/marked-integration-store.ts';
import { idsToCleanUp, type MarkedConnection, markedConnections } from '../../connections/marked-connection-store.ts';
import { withLongTransaction } from '../../db/transaction.ts';
import type { Operation } from '../../journal/operation-log/activity.ts';
import { deleteOperationsOf } from '../../journal/operation-log/activity-store.ts';
import { deleteCountsOf } from '../../journal/operation-log/count-store.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { deleteQueuedScriptsOf } from '../../scripts/script-queue-store.ts';
import { hasActiveScript } from '../../scripts/script-store.ts';
import { eraseEnvironment, isMarkedDeleted } from '../../tenants/environments/marked-environment-store.ts';
import { deleteMessagesOf } from '../../webhook-delivery/backlog-store.ts';
import { deletePayloadsOf } from '../../webhook-delivery/payload-store.ts';
import type { LifecycleDeps } from '../deps.ts';
import { cleanUp, runScriptFirst } from './clean-up.ts';
import { idsToRevoke, postponeRevocation, REVOCATION } from './deletion-store.ts';
import { eraseAndReport } from './erase-connections.ts';
import { endUnrevoked, revokeAtProvider } from './revoke.ts';

/** Connections per batch: few, since their clean-ups are repeated after a crash. */
const BATCH = 32;
const IDS_AT_ONCE = 10_000;
const PARALLEL_CLEAN_UPS = 8;
/**
 * Limits the transactions of this process's erasures: any number of erasures may run while providers hang, but requests need
 * database connections, too.
 */
const transactions = pLimit(2);
/** Number of rows that one statement deletes from tables whose deletions are not reported. */
const ROWS_AT_ONCE = 5_000;
const REST = [
  deleteSessionsOf,
  deleteMessagesOf,
  deleteQueuedScriptsOf,
  deletePayloadsOf,
  deleteOperationsOf,
  deleteCountsOf,
] as const;
/**
 * How long a slice of an erasure lasts, in milliseconds: even with its last batch it ends well before the claim of the erasure's
 * row. The next slice continues.
 */
const SLICE_MS = 120_000;

/** The erasure of an integration that is marked deleted, or of a whole environment. */
export interface Erasure {
  readonly environmentId: number;
  readonly integrationId?: number | undefined;
}

/**
 * Lets scripts and plugins clean up at their providers, asks the providers to revoke the credentials, and erases the rows that
 * are marked as deleted, connections first. Continues where an earlier attempt ended, whose last clean-ups may be repeated.
 *
 * @returns after how many seconds to continue, if the slice ended first or providers could not be called; else undefined
 */
export async function eraseMarked(deps: LifecycleDeps, erasure: Erasure, signal: AbortSignal): Promise<number | undefined> {
  const now = deps.now ?? (() => performance.now());
  const end = now() + SLICE_MS;
  const mayGoOn = () => {
    signal.throwIfAborted();
    return now() < end;
  };
  const rest = await eraseAll(deps, erasure, { signal, mayGoOn });
  return { none: undefined, more: 0, waiting: REVOCATION.seconds }[rest];
}

/** The work that a slice leaves. `more`: the slice ended first; `waiting`: only revocations that are tried again later. */
type Rest = 'none' | 'more' | 'waiting';

interface Slice {
  readonly signal: AbortSignal;
  /** Returns whether the slice has time left. @throws the signal's reason, if it has aborted */
  mayGoOn(): boolean;
}

async function eraseAll(deps: LifecycleDeps, { environmentId, integrationId }: Erasure, slice: Slice): Promise<Rest> {
  if (integrationId === undefined) {
    if (!(await isMarkedDeleted(deps.db, environmentId))) return 'none';
    // Marks as deleted the integrations that concurrent requests created while the environment was being marked.
    await markIntegrationsOf(deps.db, environmentId);
  }
  let rest: Rest = 'none';
  for (const integration of await markedIntegrations(deps, { environmentId, id: integrationId })) {
    const restOfIt = await eraseWithConnections(deps, integration, slice);
    if (restOfIt === 'more') return 'more';
    if (restOfIt === 'waiting') rest = 'waiting';
  }
  if (integrationId !== undefined || rest === 'waiting') return rest;
  return (await eraseRest(deps, environmentId, slice)) ? 'none' : 'more';
}

/**
 * Erases an integration with its connections. Connections whose clean-up has not been attempted come first, so that providers
 * that hang are called again only when nothing else is left to do.
 */
async function eraseWithConnections(deps: LifecycleDeps, integration: MarkedIntegration, slice: Slice): Promise<Rest> {
  const waiting = await idsToRevoke(deps.db, integration, IDS_AT_ONCE);
  for (;;) {
    const ids = await idsToCleanUp(deps.db, integration, IDS_AT_ONCE);
    if (ids.length === 0) break;
    if (!(await eraseThese(deps, { integration, ids, slice }))) return 'more';
  }
  if (!(await eraseThese(deps, { integration, ids: waiting, slice, isCleanedUp: true }))) return 'more';
  if ((await idsToRevoke(deps.db, integration, 1)).length > 0) return 'waiting';
  await eraseIntegration(deps.db, integration);
  return 'none';
}

interface Batch {
  readonly integration: MarkedIntegration;
  readonly ids: readonly number[];
  readonly slice: Slice;
  /** True if only the revocation is still to be tried. */
  readonly isCleanedUp?: true;
}

/** @returns false if the slice ended first */
async function eraseThese(deps: LifecycleDeps, batch: Batch): Promise<boolean> {
  for (let first = 0; first < batch.ids.length; first += BATCH) {
    if (!batch.slice.mayGoOn()) return false;
    await eraseBatch(deps, { ...batch, ids: batch.ids.slice(first, first + BATCH) });
  }
  return true;
}

interface Cleaned {
  readonly operation: Operation;
  readonly marked: MarkedConnection;
}

async function eraseBatch(deps: LifecycleDeps, batch: Batch): Promise<void> {
  const { environmentId } = batch.integration;
  const connections = await markedConnections(deps, environmentId, batch.ids);
  const hasScript = !batch.isCleanedUp && (await hasActiveScript(deps.db, batch.integration.id, 'pre-connection-deletion'));
  // Scripts may be slow. No more run at a time than there are workers, so that none spends its time limit waiting, and none
  // begins after the end of the slice.
  const bounded = pLimit(hasScript ? Math.min(PARALLEL_CLEAN_UPS, deps.scripts.limits.workers) : PARALLEL_CLEAN_UPS);
  const mayBegin = () => !hasScript || batch.slice.mayGoOn();
  const cleanUpNext = async (one: MarkedConnection) => (mayBegin() ? cleanUpOne(deps, { ...batch, hasScript }, one) : undefined);
  const asked = connections.map((connection) => bounded(() => cleanUpNext(connection)));
  const cleaned = (await Promise.all(asked)).filter((one) => one !== undefined);
  killPoint('erase-after-clean-up');
  await transactions(() =>
    withLongTransaction(deps.db, async (trx) => {
      await eraseAndReport(deps, trx, { environmentId, marked: cleaned.map(({ marked }) => marked) });
      for (const { operation, marked } of cleaned) await operation.endIn(trx, 'success', marked.connectionId);
    }),
  );
}

/** @returns undefined if another attempt to revoke is scheduled */
async function cleanUpOne(
  deps: LifecycleDeps,
  { integration, slice: { signal }, hasScript, isCleanedUp }: Batch & { readonly hasScript: boolean },
  marked: MarkedConnection,
): Promise<Cleaned | undefined> {
  const { environmentId, provider } = integration;
  const { connectionId, providerConfigKey } = marked;
  const address = { environmentId, connectionId, providerConfigKey };
  const operation = deps.activity.begin({ type: 'deletion', operation: 'deletion', ...address });
  const open = () => ({ connection: marked.open(), integration: integration.open() });
  const opened = hasScript ? await runScriptFirst(deps, { connectionId, open, job: signal }) : open;
  const about = isCleanedUp ? opened : await cleanUp(deps, { operation, provider, about: opened, signal });
  const isWorthAnother = await revokeAtProvider(deps, { operation, provider, about, signal });
  if (!isWorthAnother || !(await postponeRevocation(deps.db, { id: marked.id, environmentId, integrationId: integration.id })))
    return { operation, marked };
  endUnrevoked(operation);
  return undefined;
}

/**
 * Erases the rest of an environment. Its own row is erased last, so that an interrupted erasure still finds it.
 *
 * @returns false if the slice ended first
 */
async function eraseRest({ db, log }: LifecycleDeps, environmentId: number, slice: Slice): Promise<boolean> {
  for (const remove of REST) {
    while ((await remove(db, environmentId, ROWS_AT_ONCE)) === ROWS_AT_ONCE) if (!slice.mayGoOn()) return false;
  }
  await eraseEnvironment(db, environmentId);
  log.info('an environment was erased', { environmentId });
  return true;
}
