import { effectiveDefinition, type JsonObject } from '#contract';
import { tokenSet } from '../auth-modes/token-set.ts';
import { verifyCredentials } from '../credentials/verify-credentials.ts';
import { callHook } from '../plugin-host/call-hook.ts';
import type { ScriptDeps } from '../scripts/deps.ts';
import { validateConnection } from '../scripts/validate-connection.ts';
import { type Candidate, candidateConnection } from './candidate.ts';

export type AdmitDeps = ScriptDeps;

/**
 * Everything that can refuse a connection: the provider's verification call, the plugin's `verify` and `afterAuthorization`, at
 * last the integration's script. Nothing is written here, so a refusal leaves what was.
 *
 * @returns the configuration that the plugin discovered
 * @throws ServiceError `connection_test_failed`, `connection_validation_failed`, `provider_unavailable`, `server_error`
 */
export async function admit(deps: AdmitDeps, candidate: Candidate): Promise<JsonObject> {
  const discovered = await admitByProvider(deps, candidate);
  await admitByScript(deps, candidate, discovered);
  return discovered;
}

/** The provider's part of it, and the plugin's. */
export async function admitByProvider(deps: AdmitDeps, candidate: Candidate): Promise<JsonObject> {
  await verifyCredentials({ ...deps, note: candidate.note }, candidate.input, candidate.credentials);
  return admitByPlugin(deps, candidate);
}

/** The plugin's part of it. */
export async function admitByPlugin(deps: AdmitDeps, candidate: Candidate): Promise<JsonObject> {
  const { input, plugin, credentials } = candidate;
  const { verify, afterAuthorization } = plugin.connection ?? {};
  const call = {
    connection: candidate.facts,
    integrationConfig: input.integrationConfig,
    tokens: tokenSet(credentials),
    subscription: candidate.subscription,
  };
  const isWanted = effectiveDefinition(input.definition, input.integrationConfig).verify !== 'off';
  if (verify !== undefined && isWanted) await callHook(deps, { ...call, hook: 'connection.verify' }, verify);
  if (afterAuthorization === undefined) return {};
  return callHook(deps, { ...call, hook: 'connection.afterAuthorization' }, afterAuthorization);
}

/** The script's part of it. */
export async function admitByScript(deps: AdmitDeps, candidate: Candidate, discovered: JsonObject): Promise<void> {
  const { integration } = candidate;
  const connection = () => candidateConnection(candidate, discovered, deps.clock.now());
  await validateConnection(deps, { integration, connection });
}
