import type { Operation } from '../activity/activity.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { ServiceError } from '../errors.ts';
import type { Integration } from '../integrations/integration.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import { callHook } from '../plugin-host/call-hook.ts';
import type { Plugins } from '../plugin-host/plugins.ts';

export interface CleanUpDeps {
  readonly plugins: Plugins;
  readonly outbound: Outbound;
  readonly log: Logger;
}

export interface CleanUp {
  readonly operation: Operation;
  readonly provider: string;
  /** What the plugin is told of. A function, since a row that cannot be decrypted is a clean-up that fails. */
  readonly about: () => { readonly connection: Connection; readonly integration: Integration };
  /** Aborts when the process is about to end. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lets the plugin remove at the provider what it registered there. A failure is noted and never keeps a connection alive.
 *
 * @throws the signal's reason, when that aborts: the clean-up is then still due
 */
export async function cleanUp(deps: CleanUpDeps, task: CleanUp): Promise<void> {
  const { operation, signal } = task;
  try {
    await callPlugin(deps, task);
  } catch (error) {
    signal?.throwIfAborted();
    // What the operation log holds is part of the interface, which shows no stack.
    if (!(error instanceof ServiceError)) deps.log.error('a clean-up failed', { logId: operation.id, error });
    const reason = error instanceof ServiceError ? { reason: error.message } : {};
    operation.note('warn', 'the plugin could not clean up at the provider', reason);
  }
}

async function callPlugin(deps: CleanUpDeps, { provider, about, signal }: CleanUp): Promise<void> {
  const beforeDeletion = deps.plugins.of(provider).connection?.beforeDeletion;
  if (beforeDeletion === undefined) return;
  const { connection, integration } = about();
  await callHook(
    deps,
    {
      hook: 'connection.beforeDeletion',
      connection: connectionFacts(connection),
      integrationConfig: integration.integrationConfig,
      tokens: tokenSet(connection.credentials),
      subscription: connection.subscription,
      ...(signal !== undefined && { signal }),
    },
    beforeDeletion,
  );
}
