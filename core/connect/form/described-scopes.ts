import { type ProviderDefinition, scopeNames } from '#contract';
import { requestedScopes } from '../../auth-modes/building-blocks/scopes.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { authorizationParams } from '../flows/authorization-params.ts';
import type { AuthorizationTarget } from '../flows/target.ts';

interface DescribedScope {
  readonly name: string;
  readonly description: string;
}

/** What the provider will be asked to permit, as far as the definition has words for it. */
export function describedScopes(target: Pick<AuthorizationTarget, 'session' | 'integration' | 'provider'>): DescribedScope[] {
  const { session, integration, provider } = target;
  const { definition } = provider;
  const connectionConfig = session.defaults[integration.uniqueKey] ?? {};
  const { client } = modeInput(integration, provider, { connectionConfig, rules: undefined });
  const { user_scope: ofSession } = authorizationParams(target);
  const ofUser = ofSession?.split(',') ?? scopeNames(definition.user_scopes);
  const descriptions = descriptionsIn(definition);
  return [...new Set([...requestedScopes(client, definition), ...ofUser])].flatMap((name) => {
    const description = descriptions.get(name);
    return description === undefined ? [] : [{ name, description }];
  });
}

function descriptionsIn({ available_scopes, default_scopes, user_scopes }: ProviderDefinition): ReadonlyMap<string, string> {
  const all = [user_scopes, default_scopes, available_scopes].flatMap((scopes) => scopes ?? []);
  const described = all.flatMap((scope) =>
    typeof scope === 'string' || scope.description === undefined ? [] : [[scope.name, scope.description] as const],
  );
  return new Map(described);
}
