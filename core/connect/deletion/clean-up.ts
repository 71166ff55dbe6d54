import type { HookContext } from '#contract';
import { TokenFailure } from '../../auth-modes/auth-mode.ts';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { hookFacts, type Subject, subjectOf } from '../../credentials/call-provider.ts';
import { lastCredentials } from '../../credentials/last-credentials.ts';
import { ServiceError } from '../../errors.ts';
import type { Operation } from '../../journal/operation-log/activity.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import type { LifecycleDeps } from '../deps.ts';
import { isNothing } from '../subscriptions/subscription-call.ts';

export interface CleanUp {
  readonly operation: Operation;
  readonly provider: string;
  /**
   * Returns what the plugin's hooks need. It is a function so that a row that cannot be decrypted counts as a failed clean-up.
   */
  readonly about: () => { readonly connection: Connection; readonly integration: Integration };
  /** Set in workers; aborts when the process is about to end. Absent if a caller waits for the response. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lets the plugin remove its registrations at the provider: first the webhooks, then anything else. A failure is logged and never
 * prevents a deletion.
 *
 * @returns the connection with the credentials that were used, which may have been refreshed, and the integration
 * @throws the signal's reason, if it aborts: the clean-up is then still due
 */
export async function cleanUp(deps: LifecycleDeps, task: CleanUp): Promise<CleanUp['about']> {
  let { about } = task;
  await noteFailure(deps, task, async () => {
    const { subscriptions, connection: hooks } = deps.plugins.of(task.provider);
    if (subscriptions?.unsubscribe === undefined && hooks?.beforeDeletion === undefined) return;
    const { connection, integration } = task.about();
    const isSubscribed = !isNothing(connection.subscription);
    if (!isSubscribed && hooks?.beforeDeletion === undefined) return;
    const subject = await withLastCredentials(deps, task, subjectOf(deps, connection, integration));
    about = () => ({ connection: subject.connection, integration });
    if (isSubscribed)
      await callPlugin(deps, task, { subject, name: 'subscriptions.unsubscribe', run: subscriptions?.unsubscribe });
    await callPlugin(deps, task, { subject, name: 'connection.beforeDeletion', run: hooks?.beforeDeletion });
  });
  return about;
}

interface Scripted {
  readonly connectionId: string;
  /** @throws KeyRingError if a row cannot be decrypted */
  readonly open: CleanUp['about'];
  /** Set in workers; aborts when the process is about to end. Absent if a caller waits for the response. */
  readonly job?: AbortSignal | undefined;
}

/**
 * Runs the deletion script.
 *
 * @returns the connection with any credentials that were refreshed for the script, and the integration
 */
export async function runScriptFirst(deps: LifecycleDeps, { connectionId, open, job }: Scripted): Promise<CleanUp['about']> {
  try {
    const { connection, integration } = open();
    const used = await deps.scripts.beforeDeletion({ connection, integration, job });
    return () => ({ connection: used, integration });
  } catch (error) {
    job?.throwIfAborted();
    deps.log.warn('the credentials of a connection could not be decrypted for its deletion script', { connectionId, error });
    return open;
  }
}

/** Refreshes expired credentials for the clean-up; if that fails, the stored ones are used. */
async function withLastCredentials(deps: LifecycleDeps, { operation }: CleanUp, subject: Subject): Promise<Subject> {
  try {
    const credentials = await lastCredentials(deps, subject);
    return { ...subject, connection: { ...subject.connection, credentials } };
  } catch (error) {
    if (!(error instanceof TokenFailure))
      deps.log.warn('credentials could not be refreshed for the clean-up of a deleted connection', {
        logId: operation.id,
        error,
      });
    operation.note('warn', 'the credentials have expired and could not be refreshed for the clean-up');
    return subject;
  }
}

interface PluginCall {
  readonly subject: Subject;
  readonly name: string;
  readonly run: ((ctx: HookContext) => Promise<void>) | undefined;
}

async function callPlugin(deps: LifecycleDeps, task: CleanUp, { subject, name, run }: PluginCall): Promise<void> {
  if (run === undefined) return;
  const ending = task.signal === undefined ? {} : { signal: task.signal };
  await noteFailure(deps, task, () => callHook(deps, { hook: name, ...hookFacts(subject), ...ending }, run));
}

async function noteFailure(deps: LifecycleDeps, { operation, signal }: CleanUp, work: () => Promise<void>): Promise<void> {
  try {
    await notingCalls(operation.note, work);
  } catch (error) {
    signal?.throwIfAborted();
    // The error goes to the process log: the operation log is part of the API, which shows no stack.
    if (!(error instanceof ServiceError))
      deps.log.error('the clean-up of a deleted connection failed', { logId: operation.id, error });
    const reason = error instanceof ServiceError ? { reason: error.message } : {};
    operation.note('warn', 'the plugin could not clean up at the provider', reason);
  }
}
