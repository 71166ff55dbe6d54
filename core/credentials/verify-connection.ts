import { effectiveDefinition } from '#contract';
import { callHook } from '../catalogue/plugins/call-hook.ts';
import type { Connection } from '../connections/connection.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { hookFacts, type Subject } from './call-provider.ts';
import type { CredentialsDeps } from './deps.ts';
import { dueRule } from './due-rule.ts';
import { endLease, isExpired } from './due-store.ts';
import { recordExpiry } from './expired.ts';
import { Heartbeat } from './heartbeat.ts';
import { type ClaimedRow, releaseLease } from './lease-store.ts';
import { markProven } from './outcome-store.ts';
import { recordNeedsReauth } from './refresh-once.ts';
import { probeProvider, type VerificationResult } from './verify-credentials.ts';

/** The shortest wait after a verification that proved nothing, in seconds. */
const NEXT_TRY_SECONDS = 30 * 60;

/**
 * Verifies credentials that cannot be refreshed once a day, if the provider declares how, so that a revoked key is found before it
 * is needed. Only a clear refusal counts: any other response, or none, changes nothing. Expired ones need no call.
 */
export async function verifyClaimed(
  deps: CredentialsDeps,
  subject: Subject,
  { owner, claim }: { readonly owner: string; readonly claim: Pick<ClaimedRow, 'now'> },
): Promise<void> {
  const { connection } = subject;
  deps.refreshing.time.observe(claim.now);
  if (isExpired({ expiresAt: connection.expiresAt, now: claim.now })) return recordExpiry(deps, connection, owner);
  const rule = dueRule(deps, connection);
  // The row was made due by an import, which does not know which credentials can be verified: these cannot, so they are due no
  // more.
  if (rule.proofHours === null) return withTransaction(deps.db, (trx) => endLease(trx, connection, { owner, ...rule }));
  using _heartbeat = new Heartbeat(deps, connection, owner);
  const { verdict, httpStatus } = await verdictOf(deps, subject);
  if (verdict === 'refused') return recordRefusal(deps, connection, { owner, httpStatus });
  if (verdict === 'accepted') return withTransaction(deps.db, (trx) => markProven(trx, connection, { owner, rule }));
  const againInSeconds = NEXT_TRY_SECONDS * (1 + deps.random());
  await releaseLease(deps.db, connection, { owner, isUnknown: false, againInSeconds });
}

interface Verdict {
  readonly verdict: 'accepted' | 'refused' | 'unknown';
  /**
   * The status of the response by which the provider refused the credentials; absent if the plugin's hook found that they do not
   * work.
   */
  readonly httpStatus?: number;
}

async function verdictOf(deps: CredentialsDeps, subject: Subject): Promise<Verdict> {
  const { connection, input, plugin } = subject;
  const result = await probeProvider(deps, input, connection.credentials);
  if (result.kind === 'refused') return { verdict: 'refused', httpStatus: result.status };
  if (result.kind !== 'accepted' && result.kind !== 'not_declared') {
    deps.log.warn('a verification call was inconclusive', { ...factsOf(result), connection: connection.id });
    return { verdict: 'unknown' };
  }
  const isWanted = effectiveDefinition(input.definition, input.integrationConfig).verify !== 'off';
  const verify = isWanted ? plugin.connection?.verify : undefined;
  if (verify === undefined) return { verdict: 'accepted' };
  try {
    await callHook(deps, { hook: 'connection.verify', ...hookFacts(subject) }, verify);
    return { verdict: 'accepted' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { verdict: error.code === 'connection_test_failed' ? 'refused' : 'unknown' };
  }
}

function factsOf(result: VerificationResult): Readonly<Record<string, unknown>> {
  return 'status' in result ? { kind: result.kind, status: result.status } : { kind: result.kind };
}

async function recordRefusal(
  deps: CredentialsDeps,
  connection: Connection,
  { owner, httpStatus }: { readonly owner: string; readonly httpStatus: number | undefined },
): Promise<void> {
  const { environmentId, connectionId, providerConfigKey } = connection;
  const about = { environmentId, connectionId, providerConfigKey };
  const operation = deps.activity.begin({ type: 'refresh', operation: 'verification', ...about });
  const summary = 'the provider refuses these credentials';
  operation.note('error', summary);
  operation.describe({ summary, httpStatus, errorCode: 'invalid_credentials' });
  await recordNeedsReauth(deps, connection, { cause: 'verification_failed', operation, owner });
}
