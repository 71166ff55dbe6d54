import { effectiveDefinition } from '#contract';
import { modeNamed, modeOf } from '../auth-modes/index.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import { ServiceError } from '../errors.ts';
import { callHook } from '../plugin-host/call-hook.ts';
import { hookFacts, loadSubject, originOf, type Subject } from './call-provider.ts';
import type { CredentialsDeps } from './deps.ts';
import { recordNeedsReauth } from './refresh-once.ts';
import { type SweepLimits, type SweepTally, sweep } from './sweep.ts';
import { type DueVerification, dueVerifications, markProven, postpone } from './verification-store.ts';
import { probeProvider, type VerificationResult } from './verify-credentials.ts';

/** After a call from which nothing was learned. */
const NEXT_TRY_MS = 30 * 60_000;

/**
 * Credentials that have no end are asked about once a day, where the provider declares how: a key that was revoked is found out
 * before it is needed. Two sweeps at once do no harm, they only ask twice.
 */
export async function sweepVerifications(deps: CredentialsDeps, limits: SweepLimits = {}): Promise<SweepTally> {
  const providers = verifiableProviders(deps);
  if (providers.length === 0) return { seen: 0, failed: 0 };
  return sweep({
    ...limits,
    page: (range) => dueVerifications(deps.db, { providers, ...range }),
    each: (due) => verifyDue(deps, due),
    isClosed: () => deps.refreshing.isClosed,
  });
}

function verifiableProviders({ catalogue, plugins }: CredentialsDeps): readonly string[] {
  const broken = new Set(plugins.faults.map(({ folder }) => folder));
  const hasHook = (slug: string) => !broken.has(slug) && plugins.of(slug).connection?.verify !== undefined;
  const providers = catalogue.list().filter(({ definition }) => modeNamed(definition.auth_mode).isProvenByCall === true);
  return providers
    .filter(({ slug, definition }) => definition.proxy?.verification !== undefined || hasHook(slug))
    .map(({ slug }) => slug);
}

async function verifyDue(deps: CredentialsDeps, due: DueVerification): Promise<boolean> {
  try {
    const connection = await connectionById(deps, due.environmentId, due.id);
    if (connection?.generation === due.generation) await verifyConnection(deps, connection);
    return true;
  } catch (error) {
    deps.log.error('a connection could not be verified', { error, connection: due.id });
    return false;
  }
}

async function verifyConnection(deps: CredentialsDeps, connection: Connection): Promise<void> {
  if (modeOf(connection.credentials).isProvenByCall !== true) return markProven(deps.db, connection);
  const subject = await loadSubject(deps, connection);
  await deps.refreshing.withSlot(originOf(subject, subject.input.definition.proxy?.base_url), async () => {
    const { verdict, httpStatus } = await resultOf(deps, subject);
    if (verdict === 'accepted') return markProven(deps.db, connection);
    if (verdict === 'refused') return recordRefusal(deps, connection, httpStatus);
    await postpone(deps.db, connection, NEXT_TRY_MS * (1 + deps.random()));
  });
}

interface Verdict {
  readonly verdict: 'accepted' | 'refused' | 'unknown';
  /** Of a refusal by the definition's call. */
  readonly httpStatus?: number;
}

/** Only a clear no counts: any other response, or none, changes nothing. */
async function resultOf(deps: CredentialsDeps, subject: Subject): Promise<Verdict> {
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

async function recordRefusal(deps: CredentialsDeps, connection: Connection, httpStatus: number | undefined): Promise<void> {
  const { environmentId, connectionId, providerConfigKey } = connection;
  const about = { environmentId, connectionId, providerConfigKey };
  const operation = deps.activity.begin({ type: 'refresh', operation: 'verification', ...about });
  const summary = 'the provider refuses these credentials';
  operation.note('error', summary);
  operation.describe({ summary, httpStatus, errorCode: 'invalid_credentials' });
  await recordNeedsReauth(deps, connection, { cause: 'verification_failed', operation });
}
