import type { CodeExchange, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { firstToken } from '../../auth-modes/building-blocks/first-token.ts';
import { enteredForm } from '../../auth-modes/entered-form.ts';
import { modeOf } from '../../auth-modes/index.ts';
import type { HookDeps } from '../../catalogue/plugins/call-hook.ts';
import { callTokenHook } from '../../catalogue/plugins/token-hook.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { AuthorizationAttempt } from './attempt.ts';

interface PluginAttempt extends Pick<AuthorizationAttempt, 'input' | 'integration' | 'known'> {
  readonly session: Pick<ConnectSession, 'connectionId'>;
}

/** Returns the view that hooks have of a connection that does not exist yet. */
function firstFacts({ input, integration, session, known }: PluginAttempt) {
  return {
    connection: {
      connectionId: known?.connectionId ?? session.connectionId ?? '',
      integrationId: integration.uniqueKey,
      provider: input.provider,
      connectionConfig: input.connectionConfig,
      metadata: {},
      tags: {},
    },
    integrationConfig: input.integrationConfig,
    tokens: { accessToken: '', raw: {} },
    subscription: {},
    client: input.client,
  };
}

/** Returns the code exchange of the provider's plugin, in the name of the app in `input`; undefined if the plugin has none. */
export function pluginExchange(deps: HookDeps, now: () => Date, attempt: PluginAttempt): CodeExchange | undefined {
  const exchange = attempt.input.rules?.exchange;
  if (exchange === undefined) return undefined;
  return (grant, connectionConfig) => {
    const facts = firstFacts({ ...attempt, input: { ...attempt.input, connectionConfig } });
    const secrets = [grant.code, grant.verifier ?? ''];
    return callTokenHook(deps, { hook: 'auth.exchange', secrets, now: now(), ...facts }, (ctx) => exchange(ctx, grant));
  };
}

/**
 * Returns the credentials that the provider's plugin exchanges the entered ones for; undefined if it leaves them to the mode.
 *
 * @throws ServiceError `connection_test_failed` or `provider_unavailable` in the plugin's words; `server_error` if the plugin
 *   fails
 */
export async function pluginCredentials(
  deps: HookDeps,
  now: () => Date,
  { attempt, typed }: { readonly attempt: PluginAttempt; readonly typed: StoredCredentials },
): Promise<StoredCredentials | undefined> {
  const { input } = attempt;
  const authenticate = input.rules?.authenticate;
  const { adopt } = modeOf(typed);
  const form = enteredForm(input, typed);
  // Only the standard plugin can have the hook for a mode that does not use it: other plugins with it are rejected when they are
  // loaded.
  if (authenticate === undefined || form === undefined || adopt === undefined) return undefined;
  const receivedAt = now();
  const call = { hook: 'auth.authenticate', secrets: Object.values(form), now: receivedAt, ...firstFacts(attempt) };
  const tokens = await callTokenHook(deps, call, (ctx) => authenticate(ctx, form));
  return firstToken(async () => adopt(input, tokens, { receivedAt, previous: typed }));
}
