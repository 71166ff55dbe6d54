import type { Knex } from 'knex';
import type { ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import { integrationById } from '../connections/integrations/integration-store.ts';
import type { Signals } from '../db/work-signals.ts';
import { parseJson } from '../kit/exact-json.ts';
import { currentTrace } from '../kit/tracing.ts';
import { readPayload } from '../webhook-delivery/payload.ts';
import type { ScriptDeps } from './deps.ts';
import { runScript } from './run.ts';
import { recordRun } from './run-record.ts';
import { hiderOf } from './run-secrets.ts';
import { insertQueuedScripts, type NewQueuedScript } from './script-queue-store.ts';
import type { QueuedScriptRow } from './script-rows.ts';
import { type ActiveScript, activeScript, hasActiveScript } from './script-store.ts';
import { isSubscribed, openWebhook, type WebhookOfScript } from './webhook-content.ts';

/** Queues the `post-connection-creation` script of a new connection in the transaction `trx`, if there is one. */
export async function queueCreationScript(
  deps: { readonly signals: Signals },
  trx: Knex.Transaction,
  { environmentId, integrationId, id }: Pick<Connection, 'environmentId' | 'integrationId' | 'id'>,
): Promise<void> {
  if (!(await hasActiveScript(trx, integrationId, 'post-connection-creation'))) return;
  const trace_context = currentTrace() ?? null;
  const run = { environment_id: environmentId, connection_id: id, webhook: null, payload_id: null, trace_context };
  await queueScripts(deps, trx, [run]);
}

export async function queueScripts(
  { signals }: { readonly signals: Signals },
  trx: Knex.Transaction,
  rows: readonly NewQueuedScript[],
): Promise<void> {
  await insertQueuedScripts(trx, rows);
  if (rows.length > 0) signals.send(trx, 'script-queue');
}

/**
 * Runs a queued script.
 *
 * @returns undefined if the script or the connection was deleted, or the script no longer subscribes to the event
 */
export async function runQueued(deps: ScriptDeps, row: QueuedScriptRow, signal: AbortSignal): Promise<ScriptOutcome | undefined> {
  const queued = await readQueued(deps, row);
  const args = queued && (await argsOf(deps, row, queued.script));
  return args && runScript(deps, { ...queued, args, signal, traceContext: row.trace_context });
}

/** Records that a queued script is given up. It never began, or did not live to record its end. */
export async function recordGivenUp(deps: ScriptDeps, row: QueuedScriptRow): Promise<void> {
  const queued = await readQueued(deps, row);
  if (queued === undefined) return;
  const numbers = { durationMs: 0, waitedMs: 0, memoryMb: 0 };
  const outcome = { status: 'failed', cause: 'unavailable', ...numbers, log: [] } as const;
  const hide = hiderOf(queued.subject, queued.subject.connection, new Set());
  await recordRun(deps, { ...queued, outcome, hide });
}

/** @returns undefined if the script or the connection was deleted */
async function readQueued(deps: ScriptDeps, row: QueuedScriptRow) {
  const { environment_id: environmentId } = row;
  const connection = await connectionById(deps, environmentId, row.connection_id);
  if (connection === undefined) return undefined;
  const { integrationId } = connection;
  const event = row.webhook === null ? 'post-connection-creation' : 'on-webhook';
  const script = await activeScript(deps, { environmentId, integrationId, event });
  const integration = script && (await integrationById(deps, environmentId, integrationId));
  if (script === undefined || integration === undefined) return undefined;
  return { script, event, subject: { kind: 'live', connection, integration } } as const;
}

/** @returns undefined for a delivery's event that the current script is not subscribed to */
async function argsOf(deps: ScriptDeps, row: QueuedScriptRow, script: ActiveScript): Promise<readonly unknown[] | undefined> {
  if (row.webhook === null) return [];
  const recipient = { environmentId: row.environment_id, connection: row.connection_id };
  const webhook = openWebhook(deps.keys, recipient, row.webhook);
  if (!isSubscribed(script.webhookSubscriptions, webhook.type)) return undefined;
  if (!('payloadId' in webhook)) return [webhook];
  const { payloadId, ...head } = webhook;
  const payload = parseJson(await readPayload(deps, recipient.environmentId, payloadId));
  return [{ ...head, payload } satisfies WebhookOfScript];
}
