import type { ConnectionFacts, JsonObject, ProviderPlugin } from '#contract';
import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import { verifyCredentials } from '../credentials/verify-credentials.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import { callHook } from '../plugin-host/call-hook.ts';

export interface AdmitDeps {
  readonly outbound: Outbound;
  readonly log: Logger;
}

/** A connection as it would be, before anything is written. */
export interface Candidate {
  readonly input: ModeInput;
  readonly plugin: ProviderPlugin;
  readonly credentials: StoredCredentials;
  readonly facts: ConnectionFacts;
  readonly subscription: JsonObject;
}

/**
 * Everything that can refuse a connection: the provider's verification call, the plugin's `verify` and `afterAuthorization`.
 * Nothing is written here, so a refusal leaves what was.
 *
 * @returns the configuration that the plugin discovered
 * @throws ServiceError `connection_test_failed`, `provider_unavailable`, `server_error`
 */
export async function admit(deps: AdmitDeps, candidate: Candidate): Promise<JsonObject> {
  await verifyCredentials(deps.outbound, candidate.input, candidate.credentials);
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
  if (verify !== undefined) await callHook(deps, { ...call, hook: 'connection.verify' }, verify);
  if (afterAuthorization === undefined) return {};
  return callHook(deps, { ...call, hook: 'connection.afterAuthorization' }, afterAuthorization);
}
