import { type HookContext, isObject, type JsonObject, type SubscriptionTarget } from '#contract';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection } from '../../connections/connection.ts';
import { connectionWebhookUrl } from '../../connections/connection-webhook-url.ts';
import { integrationById } from '../../connections/integrations/integration-store.ts';
import { unknownIntegration } from '../../connections/integrations/integrations.ts';
import { jsonBytes } from '../../connections/metadata.ts';
import { hookFacts, type Subject, subjectOf } from '../../credentials/call-provider.ts';
import { freshCredentials } from '../../credentials/fresh.ts';
import { ServiceError } from '../../errors.ts';
import type { Activity, Operation } from '../../journal/operation-log/activity.ts';
import type { Logger } from '../../kit/logger.ts';
import { parseSafeJson } from '../../kit/strict-json.ts';
import type { LifecycleDeps } from '../deps.ts';

/** Maximum size of a stored registration as JSON, in bytes. */
const MAX_SUBSCRIPTION_BYTES = 16 * 1024;

/**
 * Thrown when a plugin returned a registration that cannot be stored. It is removed at the provider, and registering is not
 * retried.
 */
export class UnusableSubscription extends Error {
  override readonly name = 'UnusableSubscription';
}

/** A connection with valid credentials, and what the subscription hooks of its plugin are called with. */
interface SubscribedConnection {
  readonly connection: Connection;
  readonly subject: Subject;
  readonly target: SubscriptionTarget;
}

/**
 * @throws ServiceError as `freshCredentials` does; `unknown_provider_config` if the integration is gone, `not_found` if its
 *   provider is
 */
export async function loadSubscriber(deps: LifecycleDeps, stored: Connection): Promise<SubscribedConnection> {
  const { environmentId, integrationId, providerConfigKey } = stored;
  const integration = await integrationById(deps, environmentId, integrationId);
  if (integration === undefined) throw unknownIntegration(providerConfigKey);
  const connection = await freshCredentials(deps, stored);
  const subject = subjectOf(deps, connection, integration);
  return {
    connection,
    subject,
    target: { url: await connectionWebhookUrl(deps, connection), secret: integration.client.webhookSecret },
  };
}

/**
 * Runs the plugin's `subscribe` or `renew`.
 *
 * @returns the registration; `{}` if nothing is registered
 * @throws ServiceError as `callHook` does; UnusableSubscription; the reason with which the signal was aborted
 */
export async function callSubscription(
  deps: LifecycleDeps,
  { subject, target }: SubscribedConnection,
  call: { readonly hook: string; readonly signal?: AbortSignal; run(ctx: HookContext): Promise<JsonObject> },
): Promise<JsonObject> {
  const { run, ...named } = call;
  const result: unknown = await callHook(deps, { ...hookFacts(subject), ...named, secrets: secretsOf(target) }, run);
  if (isStorable(result)) return result;
  if (isObject(result)) await unsubscribe(deps, subject, result as JsonObject);
  throw new UnusableSubscription(`${call.hook} of ${subject.connection.provider} returned a value that cannot be stored`);
}

/**
 * Removes, at the provider, a registration that will not be stored because it is unusable, or because its connection was deleted
 * or given another registration meanwhile. A failure is only logged.
 */
export async function unsubscribe(deps: LifecycleDeps, subject: Subject, subscription: JsonObject): Promise<void> {
  const run = subject.plugin.subscriptions?.unsubscribe;
  if (run === undefined || isNothing(subscription)) return;
  try {
    await callHook(deps, { ...hookFacts(subject), subscription, hook: 'subscriptions.unsubscribe' }, run);
  } catch (error) {
    const { provider, connectionId } = subject.connection;
    deps.log.warn('a webhook registration at the provider could not be removed', { provider, connectionId, error });
  }
}

/** Begins the operation log's entry for a registration or a renewal. */
export function beginRegistration(
  { activity }: { readonly activity: Activity },
  { environmentId, connectionId, providerConfigKey }: Connection,
  operation: 'subscription' | 'renewal',
): Operation {
  return activity.begin({ type: 'webhook', operation, environmentId, connectionId, providerConfigKey });
}

/**
 * Ends the operation as failed. An unexpected error is also logged, with its stack, which the operation log must not show because
 * it is part of the API.
 */
export function endInFailure(deps: { readonly log: Logger }, operation: Operation, error: unknown): void {
  const isExpected = error instanceof ServiceError || error instanceof UnusableSubscription;
  if (!isExpected) deps.log.error('registering webhooks at a provider failed', { logId: operation.id, error });
  const reason = isExpected ? { reason: error.message } : {};
  operation.note('error', 'webhooks could not be registered at the provider', reason);
  const errorCode = error instanceof ServiceError ? error.code : 'server_error';
  operation.describe({ errorCode, ...(isExpected && { summary: `webhooks could not be registered: ${error.message}` }) });
  operation.end('failure');
}

/** Returns whether nothing is registered: plugins return `{}` if there is nothing to register. */
export function isNothing(subscription: JsonObject): boolean {
  return Object.keys(subscription).length === 0;
}

function isStorable(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  try {
    return jsonBytes(value as JsonObject) <= MAX_SUBSCRIPTION_BYTES && parseSafeJson(JSON.stringify(value)) !== undefined;
  } catch {
    return false; // The value has a cycle or a BigInt, which JSON cannot hold.
  }
}

function secretsOf({ secret }: SubscriptionTarget): readonly string[] {
  return secret === undefined ? [] : [secret];
}
