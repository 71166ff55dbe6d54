import type { Knex } from 'knex';
import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import type { GroupedJob, Queue } from '../db/queue.ts';
import { integrationById } from '../integrations/integration-store.ts';
import { readPayload } from '../webhook-delivery/payload.ts';
import type { ScriptDeps } from './deps.ts';
import { runScript } from './run.ts';
import type { ScriptLimits } from './runner.ts';
import { type ActiveScript, activeScript, hasActiveScript } from './script-store.ts';
import { isSubscribed, openWebhook, type SealedWebhook, type WebhookOfScript } from './webhook-content.ts';

const QUEUE = 'script-run';
/** Before the second and the third try. */
const WAITS_SECONDS = [10, 60] as const;
/** Reading, writing, and waiting for a turn. */
const ROOM_SECONDS = 300;
/** Environments whose scripts wait in this process at a time; the pool then gives turns. */
const ENVIRONMENTS_AT_ONCE = 4;

/** A script that nobody waits for. */
export interface ScriptJob {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
  /** Of a connection that was made: tries so far. */
  readonly tries?: number;
  /** Of a webhook. */
  readonly webhook?: SealedWebhook;
  /** Row ID of the payload that the webhook refers to, which is kept while a job says so (`payload-store.ts`). */
  readonly payload?: number;
}

export interface ScriptSendDeps {
  readonly queue: Pick<Queue, 'send'>;
  readonly scriptRunner: ScriptDeps['scriptRunner'];
}

export interface ScriptJobDeps extends ScriptDeps {
  readonly queue: Pick<Queue, 'send' | 'workInTurns'>;
}

/** Asks for the script of a connection that is new, if the transaction `trx` commits. */
export async function sendCreationScript(
  deps: ScriptSendDeps,
  trx: Knex.Transaction,
  { environmentId, integrationId, id }: Pick<Connection, 'environmentId' | 'integrationId' | 'id'>,
): Promise<void> {
  if (!(await hasActiveScript(trx, integrationId, 'post-connection-creation'))) return;
  const { data, ...options } = toJob(deps.scriptRunner.limits, { environmentId, connection: id, tries: 0 });
  await deps.queue.send(QUEUE, data, { ...options, trx });
}

/** The scripts of webhooks, in the transaction that matched them. */
export function sendWebhookJobs(
  deps: { readonly queue: Pick<Queue, 'sendGrouped'>; readonly scriptRunner: { readonly limits: ScriptLimits } },
  trx: Knex.Transaction,
  jobs: readonly ScriptJob[],
): Promise<void> {
  const { limits } = deps.scriptRunner;
  return deps.queue.sendGrouped(
    QUEUE,
    jobs.map((job) => toJob(limits, job)),
    { trx },
  );
}

function toJob({ timeoutMs }: ScriptLimits, job: ScriptJob): GroupedJob {
  return { data: job, group: String(job.environmentId), expireInSeconds: Math.ceil(timeoutMs / 1000) + ROOM_SECONDS };
}

/** One worker is left to scripts that somebody waits for. */
export function workScripts(deps: ScriptJobDeps): Promise<void> {
  const perGroup = Math.max(1, deps.scriptRunner.limits.workers - 1);
  return deps.queue.workInTurns<ScriptJob>(QUEUE, (job, signal) => runJob(deps, job, signal), {
    concurrency: perGroup * ENVIRONMENTS_AT_ONCE,
    perGroup,
  });
}

/** Once more after a failure, twice at most, where a connection is new. @throws what makes the queue hand the job over again */
async function runJob(deps: ScriptJobDeps, job: ScriptJob, signal: AbortSignal): Promise<void> {
  const outcome = await perform(deps, job, signal);
  if (outcome === undefined || outcome.status === 'done') return;
  if (isOurFault(outcome)) throw new ScriptNotRun(outcome.cause);
  const { tries } = job;
  const waitSeconds = tries === undefined ? undefined : WAITS_SECONDS[tries];
  if (tries === undefined || waitSeconds === undefined) return;
  const { data, ...options } = toJob(deps.scriptRunner.limits, { ...job, tries: tries + 1 });
  await deps.queue.send(QUEUE, data, { ...options, startAfterSeconds: waitSeconds });
}

class ScriptNotRun extends Error {
  override readonly name = 'ScriptNotRun';
}

/** It never began, or its process was to end. */
function isOurFault({ cause }: ScriptOutcome): boolean {
  return (
    cause === 'cancelled' ||
    cause === 'timeout_waiting' ||
    cause === 'closed' ||
    cause === 'unavailable' ||
    cause === 'queue_full'
  );
}

/** @returns undefined when there is nothing to run, or nobody to run it for any more */
async function perform(deps: ScriptJobDeps, job: ScriptJob, signal: AbortSignal): Promise<ScriptOutcome | undefined> {
  const { environmentId } = job;
  const connection = await connectionById(deps, environmentId, job.connection);
  if (connection === undefined) return undefined;
  const { integrationId } = connection;
  const event = job.webhook === undefined ? 'post-connection-creation' : 'on-webhook';
  const script = await activeScript(deps, { environmentId, integrationId, event });
  const integration = script && (await integrationById(deps, environmentId, integrationId));
  if (script === undefined || integration === undefined) return undefined;
  const args = await argsOf(deps, job, script);
  if (args === undefined) return undefined;
  return runScript(deps, { script, event, subject: { way: 'live', connection, integration }, args, signal });
}

/** @returns undefined for a webhook that the script, as it is now, does not want */
async function argsOf(deps: ScriptDeps, job: ScriptJob, script: ActiveScript): Promise<readonly unknown[] | undefined> {
  if (job.webhook === undefined) return [];
  const webhook = openWebhook(deps.keys, job, job.webhook);
  if (!isSubscribed(script.webhookSubscriptions, webhook.type)) return undefined;
  if (!('payloadId' in webhook)) return [webhook];
  const { payloadId, ...head } = webhook;
  const payload = JSON.parse(await readPayload(deps, job.environmentId, payloadId));
  return [{ ...head, payload } satisfies WebhookOfScript];
}
