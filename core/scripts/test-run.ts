import type { LogLine, ScriptOutcome } from '../../scripts-runtime/script-run.ts';
import { requireConnection } from '../connections/connections.ts';
import { requireIntegration } from '../connections/integrations/integrations.ts';
import { ServiceError } from '../errors.ts';
import { copyWithTexts } from '../kit/exact-json.ts';
import { type CallReport, reportingCalls } from './call-report.ts';
import type { ScriptDeps } from './deps.ts';
import { entryOf, type ScriptEvent } from './event.ts';
import { asScript } from './host-functions/acting-script.ts';
import { hostFunctionsOf } from './host-functions/host-functions.ts';
import { withUnwrittenMetadata, withWritesOf } from './host-functions/unwritten-metadata.ts';
import { compiledOf } from './overview-store.ts';
import { causeOf, linesOf, noteRun } from './run-record.ts';
import { hidden, hiderOf } from './run-secrets.ts';
import type { ScriptPlace } from './script-store.ts';
import type { RunSubject } from './subject.ts';
import type { WebhookOfScript } from './webhook-content.ts';

/** Maximum number of calls that are returned. */
const MAX_CALLS = 200;

interface TestRequest {
  readonly place: ScriptPlace;
  readonly version: number;
  readonly providerConfigKey: string;
  readonly connectionId: string;
  /** Present for `on-webhook`, and for no other event. */
  readonly webhook?: WebhookOfScript | undefined;
}

export interface TestedRun extends Omit<ScriptOutcome, 'cause' | 'log' | 'waitedMs'> {
  readonly cause: ReturnType<typeof causeOf>;
  readonly log: readonly LogLine[];
  readonly calls: readonly CallReport[];
}

/**
 * Runs a version of a script for a connection as its event would, and reports what it did. Calls to the provider's API are real;
 * metadata are not written, and nothing is validated, deleted or counted. In the operation log it is a run like any other.
 *
 * @returns the run, without secrets of the connection; failures of the script are not thrown
 * @throws ServiceError `not_found` (no such version), `unknown_connection`, `invalid_body` (a webhook is missing or must not be
 *   present)
 */
export async function testRun(deps: ScriptDeps, request: TestRequest): Promise<TestedRun> {
  const { place, version, webhook } = request;
  const { environmentId, event } = place;
  if ((event === 'on-webhook') !== (webhook !== undefined)) throw wrongWebhook(event);
  const subject = await subjectOf(deps, request);
  const script = await compiledOf(deps, place, version);
  if (script === undefined) throw new ServiceError('not_found', 'there is no such version of this script');

  const { connection } = subject;
  const { connectionId, providerConfigKey } = connection;
  const variables = new Set<string>();
  const calls: CallReport[] = [];
  const functions = hostFunctionsOf(deps, subject, { variables });
  const tested = asScript(event, subject, withWritesOf(event, withUnwrittenMetadata(functions)));
  const outcome = await deps.scriptRunner.run({
    environmentId,
    source: script.code,
    entry: entryOf(event),
    facts: { connectionId, providerConfigKey },
    args: webhook === undefined ? [] : [copyWithTexts(webhook)],
    hostFunctions: reportingCalls(tested, (call) => calls.push(call)),
    maxWaitMs: deps.scriptRunner.limits.timeoutMs,
  });
  const hide = hiderOf(subject, connection, variables);
  const run = { script, event, subject, outcome, hide };
  const log = linesOf(run);
  noteRun(deps, run, { log, isTest: true });
  const { waitedMs: _, ...shown } = outcome;
  return { ...hidden({ ...shown, cause: causeOf(run), calls: calls.slice(0, MAX_CALLS) }, hide), log };
}

/** Returns a `live` subject, whose credentials are refreshed as for any other caller. */
async function subjectOf(deps: ScriptDeps, { place, connectionId, providerConfigKey }: TestRequest): Promise<RunSubject> {
  const { environmentId } = place;
  const integration = await requireIntegration(deps, environmentId, providerConfigKey);
  const connection = await requireConnection(deps, { environmentId, connectionId, providerConfigKey });
  return { kind: 'live', integration, connection };
}

function wrongWebhook(event: ScriptEvent): ServiceError {
  const message =
    event === 'on-webhook'
      ? 'an on-webhook script needs a webhook: pass one'
      : `a ${event} script takes no webhook: leave it out`;
  return new ServiceError('invalid_body', message, { details: [{ code: 'invalid', message, path: ['webhook'] }] });
}
