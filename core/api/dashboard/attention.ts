import * as z from 'zod';
import { MOST_COUNTED } from '../../connections/connection-counts-store.ts';
import { effectiveClient, fingerprintOf } from '../../connections/integrations/effective-client.ts';
import { integrationNames } from '../../connections/integrations/integration-names-store.ts';
import { firstIntegrations } from '../../connections/integrations/integration-store.ts';
import { countsSince } from '../../journal/operation-log/count-store.ts';
import { comparedSince, failureRates, recentSince } from '../../journal/operation-log/failure-rates.ts';
import { type FailureGroup, failureGroups } from '../../journal/operation-log/failure-store.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { INTEGRATION, INTEGRATION_KEY, LOG_ID } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import {
  endingKeys,
  failedMessages,
  failingScripts,
  type IntegrationName,
  MOST_WAITING,
  overdueWork,
  unhealthyIntegrations,
  waitingTargets,
} from './attention-store.ts';

/** Maximum number of entries that are shown for each kind of problem. */
const SHOWN = 10;
/** Maximum number of kinds of failures among which the causes of problems are looked for. */
const MAX_GROUPS = 200;
/** Maximum number of integrations that are examined for a missing app. It is limited because each app has to be decrypted. */
const LOOKED_AT = 200;
/** The auth modes whose flows cannot begin without an app. */
const NEED_CLIENT: readonly string[] = ['OAUTH1', 'OAUTH2'];
/** The operations that register webhooks at providers. */
const REGISTRATIONS: readonly string[] = ['subscription', 'renewal'];
/** Fewer refused deliveries than this may be anybody's who knows the address. */
const REFUSED = 5;
/** A disk is nearly full when less than a tenth of it is free and less than 20 GiB, or when less than 1 GiB is free. */
const NEARLY_FULL = { share: 0.1, bytes: 20 * 2 ** 30, always: 2 ** 30 };

const KINDS = [
  'disk',
  'work',
  'degraded',
  'webhook_target',
  'reconnect',
  'failures',
  'subscription',
  'refused',
  'webhook_messages',
  'script',
  'api_key',
  'client',
] as const;

export const attention = z
  .strictObject({
    kind: z.enum(KINDS),
    integration: z.strictObject({ unique_key: z.string(), display_name: z.string() }).nullable(),
    count: z
      .int()
      .nullable()
      .describe(
        `connections, of which ${MOST_COUNTED} stands for that many or more; webhooks or work, of which ${MOST_WAITING} does; deliveries or failed operations`,
      ),
    total: z.int().nullable().meta({ description: '`failures`: of how many operations; `disk`: its size in bytes' }),
    free: z.int().nullable().meta({ description: '`disk`: free bytes' }),
    expired: z.int().nullable().meta({ description: '`degraded`: how many of the connections have expired credentials' }),
    share_before: z.number().nullable().meta({ description: '`failures`: the share that failed in the day before; null: none' }),
    since: dateTime.nullable(),
    until: dateTime.nullable().meta({ description: '`api_key`: when it ends or has ended' }),
    event: z.string().nullable().meta({ description: '`script`: its event; `failures`, `work`: kind of the operations' }),
    target: z.string().nullable().meta({ description: '`webhook_target`: `primary`, `secondary` or `override`' }),
    is_paused: z.boolean().meta({ description: 'true: nothing is sent to the target until it is resumed' }),
    name: z.string().nullable().meta({ description: '`webhook_target`: its host; `api_key`: its name' }),
    is_account_key: z.boolean().meta({ description: '`api_key`: whether it is one of the account' }),
    cause: z
      .string()
      .nullable()
      .meta({ description: 'cause of the connections’ state, or of the pause; error code of most failures' }),
    summary: z.string().nullable().meta({ description: 'what the log says of the latest failure' }),
    log_id: z.string().nullable().meta({ description: 'ID of the log entry of the latest failure' }),
  })
  .meta({ id: 'Attention' });

type Attention = z.output<typeof attention>;

const NOTHING: Omit<Attention, 'kind'> = {
  ...{ integration: null, count: null, total: null, free: null, expired: null, share_before: null, since: null, until: null },
  ...{ event: null, target: null, is_paused: false, name: null, is_account_key: false, cause: null, summary: null, log_id: null },
};

export const ATTENTION: Attention = {
  ...NOTHING,
  kind: 'degraded',
  integration: { unique_key: INTEGRATION_KEY, display_name: INTEGRATION.display_name },
  count: 11,
  expired: 8,
  since: INTEGRATION.updated_at,
  cause: 'provider_unavailable',
  summary: 'this machine cannot resolve github.com (DNS): EAI_AGAIN',
  log_id: LOG_ID,
};

type Parts = Pick<ApiServices, 'db' | 'keys' | 'catalogue' | 'clock' | 'disk'>;

/** Returns the problems in an environment that somebody has to fix, beginning with the most urgent kind. */
export async function attentionFor(parts: Parts, environment: Environment): Promise<readonly Attention[]> {
  const { db } = parts;
  const now = parts.clock.now();
  const failures = await failureGroups(db, environment.id, {
    since: recentSince(now),
    first: 'frequent',
    limit: MAX_GROUPS,
  });
  const found = [
    ...(await fullDisk(parts)),
    ...(await work(parts, environment)),
    ...(await degraded(parts, environment, failures)),
    ...(await targets(parts, environment)),
    ...(await reconnect(parts, environment)),
    ...fromLog('subscription', failures.filter(isRegistration), now),
    ...fromLog('refused', failures.filter(isRefusal), now),
    ...(await givenUp(parts, environment)),
    ...(await scripts(parts, environment)),
    ...(await keys(parts, environment)),
    ...(await withoutClient(parts, environment.id)).map((one) => ({ ...NOTHING, kind: 'client' as const, integration: one })),
  ];
  const rates = (await risenFailures(parts, environment, failures)).filter(({ event }) => !isCovered(event, found));
  const all = [...found, ...rates].toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  return withNames(parts, environment, all);
}

/** Adds the names of integrations of which only the key is known. */
async function withNames({ db }: Parts, { id }: Environment, found: readonly Attention[]): Promise<Attention[]> {
  const keys = found.flatMap(({ integration }) => (integration?.display_name === '' ? [integration.unique_key] : []));
  const names = await integrationNames(db, id, keys);
  return found.map((one) => {
    if (one.integration?.display_name !== '') return one;
    const { unique_key: key } = one.integration;
    const { unique_key = key, display_name = key } = names.get(key) ?? {};
    return { ...one, integration: { unique_key, display_name } };
  });
}

/** An integration whose name is added at the end. */
function unnamed(key: string | null): IntegrationName | null {
  return key === null ? null : { unique_key: key, display_name: '' };
}

async function fullDisk({ disk }: Parts): Promise<Attention[]> {
  const usage = await disk?.();
  if (usage === undefined) return [];
  const { free, total } = usage;
  const isFull = free < NEARLY_FULL.always || (free < total * NEARLY_FULL.share && free < NEARLY_FULL.bytes);
  return isFull ? [{ ...NOTHING, kind: 'disk', free, total }] : [];
}

async function work({ db }: Parts, { id }: Environment): Promise<Attention[]> {
  const overdue = await overdueWork(db, id);
  return overdue.map(({ kind, count, since }) => ({ ...NOTHING, kind: 'work', event: kind, count, since: iso(since) }));
}

async function degraded({ db }: Parts, { id }: Environment, failures: readonly FailureGroup[]): Promise<Attention[]> {
  const found = await unhealthyIntegrations(db, { environmentId: id, limit: SHOWN, state: 'degraded' });
  return found.map(({ count, since, cause, expired, ...integration }) => {
    const latest = failures.find((one) => one.type === 'refresh' && one.provider_config_key === integration.unique_key)?.latest;
    const said = { summary: latest?.summary ?? null, log_id: latest?.id ?? null };
    return { ...NOTHING, kind: 'degraded', integration, count, since: iso(since), cause, expired, ...said };
  });
}

async function reconnect({ db }: Parts, { id }: Environment): Promise<Attention[]> {
  const found = await unhealthyIntegrations(db, { environmentId: id, limit: SHOWN, state: 'needs_reauth' });
  return found.map(({ count, since, cause, expired: _, ...integration }) => {
    return { ...NOTHING, kind: 'reconnect', integration, count, since: iso(since), cause };
  });
}

async function targets({ db }: Parts, environment: Environment): Promise<Attention[]> {
  const { id, webhookUrl: primary, webhookUrlSecondary: secondary } = environment;
  const found = await waitingTargets(db, { environmentId: id, limit: SHOWN });
  return found.map(({ slot, url, paused_at: pausedAt, pause_cause: cause, waiting, oldest }) => {
    const current = { primary, secondary, override: url }[slot];
    const about = { target: slot, name: hostOf(current), is_paused: pausedAt !== null, cause };
    return { ...NOTHING, kind: 'webhook_target', ...about, count: waiting, since: iso(pausedAt ?? oldest) };
  });
}

/** Returns the host of a URL; the rest of it may be secret. */
function hostOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.host ?? null);
}

function isRegistration({ type, operation }: FailureGroup): boolean {
  return type === 'webhook' && REGISTRATIONS.includes(operation);
}

function isRefusal({ type, operation, count }: FailureGroup): boolean {
  return type === 'webhook' && operation === 'refused' && count >= REFUSED;
}

/** Returns the problems that only the log knows of, each with its latest failure. */
function fromLog(kind: Attention['kind'], groups: readonly FailureGroup[], now: Date): Attention[] {
  const since = iso(recentSince(now));
  return groups.slice(0, SHOWN).map(({ provider_config_key: key, count, latest }) => {
    return { ...NOTHING, kind, integration: unnamed(key), count, since, summary: latest.summary, log_id: latest.id };
  });
}

async function givenUp({ db }: Parts, { id }: Environment): Promise<Attention[]> {
  const { count, since } = await failedMessages(db, id);
  return count === 0 ? [] : [{ ...NOTHING, kind: 'webhook_messages', count, since: iso(since) }];
}

async function scripts({ db }: Parts, { id }: Environment): Promise<Attention[]> {
  const found = await failingScripts(db, { environmentId: id, limit: SHOWN });
  return found.map(({ event, since, ...integration }) => ({ ...NOTHING, kind: 'script', integration, event, since: iso(since) }));
}

async function keys({ db }: Parts, { id, accountId }: Environment): Promise<Attention[]> {
  const found = await endingKeys(db, { environmentId: id, accountId, limit: SHOWN });
  return found.map(({ name, expires_at: until, last_used_at: lastUsed, is_account_key: isAccountKey }) => {
    return { ...NOTHING, kind: 'api_key', name, until: iso(until), since: iso(lastUsed), is_account_key: isAccountKey };
  });
}

async function withoutClient({ db, keys, catalogue }: Parts, environmentId: number): Promise<IntegrationName[]> {
  const providers = catalogue.list().flatMap((one) => (NEED_CLIENT.includes(one.definition.auth_mode) ? [one.slug] : []));
  const found = await firstIntegrations({ db, keys }, environmentId, { providers, limit: LOOKED_AT });
  return found
    .filter((one) => {
      const provider = catalogue.find(one.provider);
      return provider !== undefined && fingerprintOf(effectiveClient(one, provider)) === null;
    })
    .slice(0, SHOWN)
    .map(({ uniqueKey, displayName }) => ({ unique_key: uniqueKey, display_name: displayName }));
}

/** Returns the kinds of operations that fail more often than in the day before, each with what most of its failures have in common. */
async function risenFailures({ db, clock }: Parts, { id }: Environment, failures: readonly FailureGroup[]): Promise<Attention[]> {
  const now = clock.now();
  const rates = failureRates(await countsSince(db, id, comparedSince(now)), now);
  // Attempts to send webhooks are counted as `delivery`; refused deliveries and failed registrations are problems of their own kinds.
  return rates
    .filter(({ kind }) => kind !== 'webhook' && kind !== 'received')
    .map(({ kind, failed, total, shareBefore }) => {
      const most = failures.find(({ type }) => type === kind);
      return {
        ...{ ...NOTHING, kind: 'failures', event: kind, count: failed, total, share_before: shareBefore },
        integration: unnamed(most?.provider_config_key ?? null),
        cause: most?.error_code ?? most?.http_status?.toString() ?? null,
        ...{ summary: most?.latest.summary ?? null, log_id: most?.latest.id ?? null, since: iso(recentSince(now)) },
      };
    });
}

/** The kinds of problems that explain why operations of a kind fail. */
const COVERED_BY: Readonly<Record<string, readonly Attention['kind'][]>> = {
  refresh: ['degraded'],
  delivery: ['webhook_target'],
  script: ['script'],
};

function isCovered(event: string | null, found: readonly Attention[]): boolean {
  const kinds = COVERED_BY[event ?? ''] ?? [];
  return found.some(({ kind }) => kinds.includes(kind));
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
