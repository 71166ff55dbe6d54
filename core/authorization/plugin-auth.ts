import type { CodeExchange } from '../auth-modes/auth-mode.ts';
import { callTokenHook } from '../plugin-host/token-hook.ts';
import type { AuthorizationAttempt } from './attempt.ts';
import type { AuthorizationDeps } from './deps.ts';

type Attempt = Pick<AuthorizationAttempt, 'input' | 'integration' | 'session' | 'known'>;

/** What hooks see of a connection that does not exist yet. */
function firstFacts({ input, integration, session, known }: Attempt) {
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

/** The exchange of the provider's plugin, made by the app of `input`; undefined if it has none. */
export function pluginExchange(deps: AuthorizationDeps, now: () => Date, attempt: Attempt): CodeExchange | undefined {
  const exchange = attempt.input.rules?.exchange;
  if (exchange === undefined) return undefined;
  return (grant, connectionConfig) => {
    const facts = firstFacts({ ...attempt, input: { ...attempt.input, connectionConfig } });
    const secrets = [grant.code, grant.verifier ?? ''];
    return callTokenHook(deps, { hook: 'auth.exchange', secrets, now: now(), ...facts }, (ctx) => exchange(ctx, grant));
  };
}
