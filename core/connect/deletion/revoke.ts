import type { RevocationOutcome } from '../../auth-modes/auth-mode.ts';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import { hookFacts, type Subject, subjectOf } from '../../credentials/call-provider.ts';
import { ServiceError } from '../../errors.ts';
import type { Operation } from '../../journal/operation-log/activity.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import { abortable } from '../../kit/abortable.ts';
import type { LifecycleDeps } from '../deps.ts';
import type { CleanUp } from './clean-up.ts';

/**
 * Timeout of an attempt to revoke, in milliseconds. `CALLER_PATIENCE_MS` replaces it while a caller waits for the response to the
 * deletion: it is shorter, since a worker makes further attempts later.
 */
const PATIENCE_MS = 10_000;
const CALLER_PATIENCE_MS = 2_000;

const NOTES: Readonly<Record<Exclude<RevocationOutcome, 'none'>, readonly ['info' | 'warn', string]>> = {
  revoked: ['info', 'the provider revoked the credentials'],
  refused: ['warn', 'the provider did not revoke the credentials'],
  later: ['warn', 'the provider could not be called to revoke the credentials'],
};

/**
 * Asks the provider to end the authorization of a deleted connection: by the plugin, else by `revocation_url` (RFC 7009). A
 * failure never prevents the deletion.
 *
 * @returns whether another attempt is worthwhile
 * @throws the signal's reason, if it aborts: the revocation is then still due
 */
export async function revokeAtProvider(deps: LifecycleDeps, task: CleanUp): Promise<boolean> {
  const outcome = await notingCalls(task.operation.note, () => attempt(deps, task));
  if (outcome !== 'none') task.operation.note(...NOTES[outcome]);
  return outcome === 'later';
}

/** Ends the log entry of an attempt to revoke that will be repeated. */
export function endUnrevoked(operation: Operation): void {
  operation.describe({ summary: 'deleted; its revocation is tried again', errorCode: 'provider_unavailable' });
  operation.end('retrying');
}

async function attempt(deps: LifecycleDeps, task: CleanUp): Promise<RevocationOutcome> {
  try {
    const { connection, integration } = task.about();
    const ending =
      task.signal === undefined ? [AbortSignal.timeout(CALLER_PATIENCE_MS)] : [AbortSignal.timeout(PATIENCE_MS), task.signal];
    return await abortable(AbortSignal.any(ending), revoke(deps, subjectOf(deps, connection, integration)));
  } catch (error) {
    task.signal?.throwIfAborted();
    if (error instanceof DOMException && error.name === 'TimeoutError') return 'later';
    // The error goes to the process log: the operation log is part of the API, which shows no stack.
    deps.log.error('revoking the credentials of a deleted connection failed', { logId: task.operation.id, error });
    return 'refused';
  }
}

async function revoke(deps: LifecycleDeps, subject: Subject): Promise<RevocationOutcome> {
  const { connection, mode, input, plugin } = subject;
  const hook = plugin.connection?.revoke;
  if (hook !== undefined) return revokeByPlugin(deps, subject, hook);
  const { refreshing, outbound } = deps;
  if (mode.revoke === undefined) return 'none';
  return mode.revoke({ outbound, now: () => refreshing.time.now(), tokenCallMs: PATIENCE_MS }, input, connection.credentials);
}

async function revokeByPlugin(
  deps: LifecycleDeps,
  subject: Subject,
  hook: NonNullable<NonNullable<Subject['plugin']['connection']>['revoke']>,
): Promise<RevocationOutcome> {
  try {
    await callHook(deps, { hook: 'connection.revoke', ...hookFacts(subject) }, hook);
    return 'revoked';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'provider_unavailable' ? 'later' : 'refused';
  }
}
