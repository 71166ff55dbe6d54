import type { Knex } from 'knex';
import { MOST_COUNTED } from '../../connections/connection-counts-store.ts';
import type { ScriptRow } from '../../scripts/script-rows.ts';
import { FAILURES_TO_OPEN } from '../../webhook-delivery/circuit-breaker.ts';
import type { WebhookMessageRow, WebhookTargetRow } from '../../webhook-delivery/webhook-rows.ts';

/** The number at which counting of webhooks and work that wait ends. */
export const MOST_WAITING = 10_000;
/** Work that is due is done within seconds, unless no worker runs. */
const OVERDUE_MINUTES = 5;

export interface IntegrationName {
  readonly unique_key: string;
  readonly display_name: string;
}

interface AttentionFilter {
  readonly environmentId: number;
  readonly limit: number;
}

/** Connections of one integration in one state; `MOST_COUNTED` stands for that many or more, of which as many are examined. */
interface UnhealthyConnections extends IntegrationName {
  readonly count: number;
  /** When the first of them came into this state. */
  readonly since: Date;
  /** The most frequent cause of the state. */
  readonly cause: string | null;
  /** How many of them have credentials that have expired, so that calls fail. */
  readonly expired: number;
}

/** Returns the integrations with connections in a state, most connections first. Uses the index `connections_of_integration`. */
export async function unhealthyIntegrations(
  db: Knex,
  { environmentId, limit, state }: AttentionFilter & { readonly state: 'needs_reauth' | 'degraded' },
): Promise<UnhealthyConnections[]> {
  const bindings = { environmentId, limit, state, most: MOST_COUNTED };
  const { rows } = await db.raw<{ rows: UnhealthyConnections[] }>(UNHEALTHY_INTEGRATIONS, bindings);
  return rows;
}

/** The numbers are counted in the index alone. Only the connections of the integrations that are shown are read. */
const UNHEALTHY_INTEGRATIONS = `
  select unique_key, display_name, count, since, cause, expired
  from (
    select integrations.id, unique_key, display_name, count from integrations
    cross join lateral (
      select count(*)::int as count from (
        select from connections
        where integration_id = integrations.id and connections.state = :state and deleted_at is null limit :most
      ) as first
    ) counted
    where integrations.environment_id = :environmentId and integrations.deleted_at is null and count > 0
    order by count desc, integrations.id limit :limit
  ) shown
  cross join lateral (
    select min(state_since) as since, mode() within group (order by state_cause) as cause,
      (count(*) filter (where expires_at <= clock_timestamp()))::int as expired
    from (
      select state_since, state_cause, expires_at from connections
      where integration_id = shown.id and connections.state = :state and deleted_at is null limit :most
    ) as first
  ) examined
  order by count desc, shown.id`;

/**
 * Returns the scripts whose runs fail, and since when they do, by the runs of their present version. A script that checks
 * connections may throw on purpose, which is no failure. Uses the index `script_runs_newest`.
 */
export async function failingScripts(
  db: Knex,
  { environmentId, limit }: AttentionFilter,
): Promise<readonly (IntegrationName & Pick<ScriptRow, 'event'> & { readonly since: Date })[]> {
  const { rows } = await db.raw<{ rows: (IntegrationName & Pick<ScriptRow, 'event'> & { since: Date })[] }>(
    `select integrations.unique_key, integrations.display_name, scripts.event, failing.since
     from scripts join integrations on integrations.id = scripts.integration_id
     cross join lateral (
       select min(started_at) filter (where is_newer) as since, bool_or(at = 1 and status <> 'done') as fails
       from (
         select started_at, status, row_number() over newest as at,
           bool_and(status <> 'done') over (newest rows unbounded preceding) as is_newer
         from (
           select started_at, id, status from script_runs
           where script_runs.script_id = scripts.id and script_runs.environment_id = scripts.environment_id
             and version = scripts.active_version and cause is distinct from 'refused'
           order by started_at desc, id desc limit 100
         ) latest window newest as (order by started_at desc, id desc)
       ) runs
     ) failing
     where scripts.environment_id = ? and scripts.enabled and integrations.deleted_at is null and failing.fails
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
export function failingTargets(db: Knex, { environmentId, limit }: AttentionFilter): Promise<FailingTarget[]> {
  return targetsInTrouble(db, environmentId)
    .whereIn('slot', ['primary', 'secondary'])
    .orderBy('slot')
    .limit(limit)
    .select<FailingTarget[]>([...FAILING, 'waiting.waiting', 'waiting.oldest']);
}

/** A webhook target that is paused or fails, with the webhooks that wait for it. */
interface FailingTarget extends Pick<WebhookTargetRow, FailingColumn> {
  /** `MOST_WAITING` stands for that many or more. */
  readonly waiting: number;
  /** When the oldest of them was created; null when none waits. */
  readonly oldest: Date | null;
}

/**
 * Returns the webhook targets that are paused, or that fail while webhooks wait for them, those of single connections included.
 * Uses the index `webhook_messages_target`.
 */
export async function waitingTargets(
  db: Knex,
  { environmentId, limit }: AttentionFilter,
): Promise<(FailingTarget & Pick<WebhookTargetRow, 'url'>)[]> {
  return targetsInTrouble(db, environmentId)
    .where((some) => some.whereNotNull('paused_at').orWhere('waiting.waiting', '>', 0))
    .orderByRaw(`slot = 'override', slot, id`)
    .limit(limit)
    .select<(FailingTarget & Pick<WebhookTargetRow, 'url'>)[]>([...FAILING, 'url', 'waiting.waiting', 'waiting.oldest']);
}

const WAITING = `
  select count(*)::int as waiting, min(created_at) as oldest from (
    select created_at from webhook_messages m
    where m.target_id = webhook_targets.id and status in ('pending', 'paused') limit ${MOST_WAITING}
  ) counted`;

function targetsInTrouble(db: Knex, environmentId: number) {
  return db<WebhookTargetRow>('webhook_targets')
    .joinRaw(`cross join lateral (${WAITING}) waiting`)
    .where({ environment_id: environmentId })
    .where((failing) => failing.whereNotNull('paused_at').orWhere('failures', '>=', FAILURES_TO_OPEN));
}

/** Webhooks or work that wait, `MOST_WAITING` standing for that many or more, and the time of the oldest of them. */
interface Waiting {
  readonly count: number;
  readonly since: Date | null;
}

/** Counts the webhooks that were given up, all of which can be replayed. Uses the index `webhook_messages_failed`. */
export async function failedMessages(db: Knex, environmentId: number): Promise<Waiting> {
  const some = db<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId, status: 'failed' })
    .limit(MOST_WAITING)
    .select('created_at');
  return countOf(db, some);
}

/** The tables of work, by what waits in them: conditions for the rows that any worker should have claimed by now. */
const OVERDUE: Readonly<Record<string, (db: Knex, environmentId: number, before: Knex.Raw) => Knex.QueryBuilder>> = {
  refresh: (db, environmentId, before) =>
    db('refreshes')
      .whereNull('owner')
      .where('due_at', '<', before)
      .where({ environment_id: environmentId })
      .select('due_at as created_at'),
  webhook: (db, environmentId, before) =>
    db('webhook_messages as m')
      .join('webhook_targets as t', 't.id', 'm.target_id')
      .where({ 't.environment_id': environmentId, status: 'pending' })
      .whereNull('t.paused_at')
      .whereRaw('coalesce(t.open_until < ?, true)', [before])
      .where('next_attempt_at', '<', before)
      .whereNull('attempt_until')
      .select('next_attempt_at as created_at'),
  script: (db, environmentId, before) =>
    db('script_queue')
      .where({ environment_id: environmentId })
      .where('due_at', '<', before)
      .whereRaw('coalesce(claimed_until < now(), true)')
      .select('due_at as created_at'),
};

/** Returns the kinds of work that have been due for minutes: how much of it waits, and since when. */
export async function overdueWork(db: Knex, environmentId: number): Promise<readonly (Waiting & { readonly kind: string })[]> {
  const before = db.raw(`now() - interval '${OVERDUE_MINUTES} minutes'`);
  const found = [];
  for (const [kind, rows] of Object.entries(OVERDUE)) {
    const waiting = await countOf(db, rows(db, environmentId, before).limit(MOST_WAITING));
    if (waiting.count > 0) found.push({ kind, ...waiting });
  }
  return found;
}

async function countOf(db: Knex, some: Knex.QueryBuilder): Promise<Waiting> {
  const [row]: Waiting[] = await db
    .from(some.as('some'))
    .select(db.raw('count(*)::int as count'), db.raw('min(created_at) as since'));
  return row ?? { count: 0, since: null };
}

/** An API key that ends soon or has ended, and was in use on the day before. */
interface EndingKey {
  readonly name: string;
  readonly expires_at: Date;
  readonly last_used_at: Date;
  /** True for a key of the account, not of the environment. */
  readonly is_account_key: boolean;
}

/** The days before and after the end of a key in which it needs attention. */
const KEY_DAYS = 7;

/** Returns the API keys in use that end within a week, or have ended in the week before, the earliest first. */
export async function endingKeys(
  db: Knex,
  { environmentId, accountId, limit }: AttentionFilter & { readonly accountId: number },
): Promise<EndingKey[]> {
  return db('api_keys')
    .where({ account_id: accountId })
    .where((owner) => owner.where({ environment_id: environmentId }).orWhereNull('environment_id'))
    .whereNull('revoked_at')
    .whereRaw(`expires_at between now() - interval '${KEY_DAYS} days' and now() + interval '${KEY_DAYS} days'`)
    .whereRaw(`last_used_at > least(now(), expires_at) - interval '1 day'`)
    .orderBy('expires_at')
    .limit(limit)
    .select('name', 'expires_at', 'last_used_at', db.raw('environment_id is null as is_account_key'));
}
