import type { Knex } from 'knex';
import type { ConnectionRow } from '../../connections/connection-row.ts';
import type { ScriptRow } from '../../scripts/script-rows.ts';
import { FAILURES_TO_OPEN } from '../../webhook-delivery/circuit-breaker.ts';
import type { WebhookMessageRow, WebhookTargetRow } from '../../webhook-delivery/webhook-rows.ts';

/** Maximum number of rows that are counted: for somebody with that many problems the exact number does not matter. */
const COUNTED = 10_000;

export interface IntegrationName {
  readonly unique_key: string;
  readonly display_name: string;
}

interface AttentionFilter {
  readonly environmentId: number;
  readonly limit: number;
}

/**
 * Returns the integrations with connections whose user has to reauthorize, most connections first. Uses the index
 * `connections_unhealthy`.
 */
export function integrationsToReconnect(
  db: Knex,
  { environmentId, limit }: AttentionFilter,
): Promise<(IntegrationName & { readonly count: number })[]> {
  const some = db<ConnectionRow>('connections')
    .where({ environment_id: environmentId, state: 'needs_reauth' })
    .whereNull('deleted_at')
    .limit(COUNTED)
    .select('integration_id');
  return db
    .from(some.as('some'))
    .join('integrations', 'integrations.id', 'some.integration_id')
    .where('integrations.environment_id', environmentId)
    .whereNull('integrations.deleted_at')
    .groupBy('integrations.id')
    .orderByRaw('count(*) desc, integrations.id')
    .limit(limit)
    .select('integrations.unique_key', 'integrations.display_name', db.raw('count(*)::int as count'));
}

/** Returns the scripts whose latest run failed. Uses the index `script_runs_newest`. */
export async function failingScripts(
  db: Knex,
  { environmentId, limit }: AttentionFilter,
): Promise<readonly (IntegrationName & Pick<ScriptRow, 'event'>)[]> {
  const { rows } = await db.raw<{ rows: (IntegrationName & Pick<ScriptRow, 'event'>)[] }>(
    `select integrations.unique_key, integrations.display_name, scripts.event
     from scripts join integrations on integrations.id = scripts.integration_id
     cross join lateral (
       select status from script_runs
       where script_runs.script_id = scripts.id and script_runs.environment_id = scripts.environment_id
       order by started_at desc, id desc limit 1
     ) latest
     where scripts.environment_id = ? and scripts.enabled and integrations.deleted_at is null and latest.status <> 'done'
     order by scripts.id limit ?`,
    [environmentId, limit],
  );
  return rows;
}

const FAILING = ['slot', 'failures', 'paused_at', 'pause_cause'] as const;
type FailingColumn = (typeof FAILING)[number];

/**
 * Returns the primary and secondary webhook targets of an environment that are paused, or whose circuit breaker holds webhooks
 * back after many failures.
 */
export function failingTargets(
  db: Knex,
  { environmentId, limit }: AttentionFilter,
): Promise<Pick<WebhookTargetRow, FailingColumn>[]> {
  return db<WebhookTargetRow>('webhook_targets')
    .where({ environment_id: environmentId })
    .whereIn('slot', ['primary', 'secondary'])
    .where((failing) => failing.whereNotNull('paused_at').orWhere('failures', '>=', FAILURES_TO_OPEN))
    .orderBy('slot')
    .limit(limit)
    .select(FAILING);
}

/** Counts the webhooks that were given up, all of which can be replayed. Uses the index `webhook_messages_failed`. */
export async function failedMessages(db: Knex, environmentId: number): Promise<number> {
  const some = db<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId, status: 'failed' })
    .limit(COUNTED)
    .select('id');
  const [row]: { count: number }[] = await db.from(some.as('some')).count();
  return row?.count ?? 0;
}
