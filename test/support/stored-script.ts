import { createHash, randomUUID } from 'node:crypto';
import { idByKey } from '../../core/connections/integrations/integration-store.ts';
import { withTransaction } from '../../core/db/transaction.ts';
import type { ScriptEvent } from '../../core/scripts/event.ts';
import type { FinishedRun } from '../../core/scripts/run-store.ts';
import { activateVersion, ensureScript, insertVersion, newestVersion } from '../../core/scripts/script-store.ts';
import type { TestApp } from './app.ts';

interface WantedScript {
  /** The key of the integration. */
  readonly key: string;
  readonly event?: ScriptEvent;
  readonly environmentId?: number;
  /** The source, in JavaScript. */
  readonly source?: string;
  readonly webhookSubscriptions?: readonly string[];
}

/**
 * Stores a new version of a script without compiling it, and activates it.
 *
 * @returns the IDs of the integration and the script, and the number of the version
 */
export async function storeScript(app: Pick<TestApp, 'services' | 'environmentId'>, wanted: WantedScript) {
  const { key, event = 'post-connection-creation', environmentId = app.environmentId, webhookSubscriptions = [] } = wanted;
  const source = wanted.source ?? 'export default async () => {};';
  const { db, keys } = app.services;
  return withTransaction(db, async (trx) => {
    const integrationId = await idByKey(trx, environmentId, key);
    if (integrationId === undefined) throw new Error(`there is no integration "${key}"`);
    const { id: scriptId } = await ensureScript(trx, { environmentId, integrationId, event });
    const version = ((await newestVersion(trx, scriptId))?.version ?? 0) + 1;
    const sha256 = createHash('sha256').update(source).digest();
    const row = { environmentId, scriptId, version, language: 'javascript', source, compiled: source, sha256 } as const;
    await insertVersion({ db: trx, keys }, { ...row, webhookSubscriptions });
    await activateVersion(trx, scriptId, version);
    return { integrationId, scriptId, version };
  });
}

/** Returns a run that has just ended successfully. */
export function finishedRun(run: Partial<FinishedRun> & Pick<FinishedRun, 'scriptId'>): FinishedRun {
  const common = { id: randomUUID(), environmentId: 1, version: 1, connectionId: 'c', status: 'done' } as const;
  return { ...common, startedAt: new Date(), durationMs: 12, memoryMb: 2, log: [], ...run };
}
