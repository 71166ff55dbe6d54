import { effectiveDefinition, type JsonObject } from '#contract';
import { tokenSet } from '../../auth-modes/token-set.ts';
import { validityOf } from '../../auth-modes/validity.ts';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection } from '../../connections/connection.ts';
import { connectionFacts } from '../../connections/connection-facts.ts';
import { fingerprintOf } from '../../connections/integrations/effective-client.ts';
import { secretPart } from '../../connections/integrations/secret-fields.ts';
import { isOtherAccount } from '../../connections/provider-account.ts';
import type { CallDeps } from '../../credentials/api-call.ts';
import { verifyCredentials } from '../../credentials/verify-credentials.ts';
import { ServiceError } from '../../errors.ts';
import type { ConnectionPlan } from './connection-plan.ts';
import { discover } from './discover.ts';
import { identifyAccount } from './identify-account.ts';

/** The row ID of a connection that is not stored yet. */
const NO_ROW = 0;

/** A connection as it would be stored, the provider's account, and the discovered configuration. */
interface ProvenConnection {
  readonly connection: Connection;
  readonly providerAccount: Connection['providerAccount'];
  readonly discovered: JsonObject;
}

/**
 * Checks everything about a connection that the provider and its plugin can reject: the verification call, the values that the
 * definition discovers, the plugin's `verify` and `afterAuthorization`, and whether the account differs from the previous one.
 *
 * @throws ChoiceNeeded if the user has to choose first; ServiceError `connection_test_failed` if the provider or the plugin
 *   rejects the connection; `wrong_account` if it would be for another account; `provider_unavailable`; `server_error` if the
 *   plugin fails
 */
export async function proveConnection(deps: CallDeps, plan: ConnectionPlan): Promise<ProvenConnection> {
  const { input, proof } = plan;
  const candidate = candidateOf(plan, deps.clock.now());
  if (proof === 'provider') await verifyCredentials({ ...deps, note: plan.note }, input, plan.credentials);
  const discovered = proof === 'none' ? {} : await discoverAll(deps, plan, candidate);
  const configured = withConfig(plan, candidate, { ...candidate.connectionConfig, ...discovered, ...plan.fixedConfig });
  const providerAccount = proof === 'none' ? null : await identifyAccount(deps, plan, configured);
  if (plan.existing !== undefined) checkAccount(plan, plan.existing.providerAccount, providerAccount);
  return { connection: configured, providerAccount, discovered };
}

/** Returns the values that the definition discovers, overridden by the plugin's. */
async function discoverAll(deps: CallDeps, plan: ConnectionPlan, candidate: Connection): Promise<JsonObject> {
  const found = await discover(deps, plan);
  const connectionConfig = { ...candidate.connectionConfig, ...found };
  return { ...found, ...(await askPlugin(deps, plan, { ...candidate, connectionConfig })) };
}

/** Calls the plugin's `verify` and `afterAuthorization`. @returns the configuration that they discovered */
async function askPlugin(deps: CallDeps, { input, existing }: ConnectionPlan, candidate: Connection): Promise<JsonObject> {
  const { verify, afterAuthorization } = deps.plugins.of(input.provider).connection ?? {};
  const call = {
    connection: connectionFacts(candidate),
    integrationConfig: input.integrationConfig,
    tokens: tokenSet(candidate.credentials),
    subscription: existing?.subscription ?? {},
  };
  const isWanted = effectiveDefinition(input.definition, input.integrationConfig).verify !== 'off';
  if (verify !== undefined && isWanted) await callHook(deps, { ...call, hook: 'connection.verify' }, verify);
  if (afterAuthorization === undefined) return {};
  return callHook(deps, { ...call, hook: 'connection.afterAuthorization' }, afterAuthorization);
}

/** Returns the subject with this configuration, and with the configuration's secret fields as `secretConfig`. */
export function withConfig<T>({ input }: ConnectionPlan, subject: T, connectionConfig: JsonObject) {
  return { ...subject, connectionConfig, secretConfig: secretPart(input.definition.connection_config, connectionConfig) };
}

/** Returns the connection as it would be stored, as far as it is known before the provider is called. */
function candidateOf(plan: ConnectionPlan, now: Date): Connection {
  const { integration, existing, credentials, input } = plan;
  const { tags = {}, endUser = null, webhookUrlOverride = null, metadata = {} } = { ...existing, ...plan.attributes(existing) };
  return {
    id: existing?.id ?? NO_ROW,
    environmentId: integration.environmentId,
    integrationId: integration.id,
    connectionId: plan.connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: input.provider,
    credentials,
    generation: 0,
    expiresAt: validityOf(credentials).expiresAt ?? null,
    refreshAfter: null,
    refreshedAt: now,
    state: 'healthy',
    authErrorLogId: null,
    clientFingerprint: fingerprintOf(input.client),
    metadata,
    connectionConfig: input.connectionConfig,
    secretConfig: {},
    tags,
    endUser,
    webhookUrlOverride,
    subscription: existing?.subscription ?? {},
    providerAccount: null,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
    lastFetchedAt: existing?.lastFetchedAt ?? now,
  };
}

type Account = Connection['providerAccount'];

/**
 * Prevents a user who reauthorizes a connection from replacing its account with another one by mistake. An unknown account does
 * not count as another one.
 *
 * @throws ServiceError `wrong_account` if the account is another one
 */
export function checkAccount({ reauthorization }: ConnectionPlan, before: Account, now: Account): void {
  if (reauthorization === undefined || reauthorization.allowsAccountChange || !isOtherAccount(before, now)) return;
  throw new ServiceError('wrong_account', 'this is a different provider account from the one of the connection');
}
