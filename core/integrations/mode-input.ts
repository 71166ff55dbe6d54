import type { AuthRules, JsonObject } from '#contract';
import type { ModeInput } from '../auth-modes/auth-mode.ts';
import type { Provider } from '../catalogue/catalogue.ts';
import type { Integration } from './integration.ts';

/** What an auth mode may look at when it talks to the provider about one connection of an integration. */
export function modeInput(
  integration: Integration,
  provider: Provider,
  facts: { readonly connectionConfig: JsonObject; readonly rules: AuthRules | undefined },
): ModeInput {
  const { clientId = '', clientSecret = '', scopes } = integration.client;
  return {
    provider: provider.slug,
    definition: provider.definition,
    client: { clientId, clientSecret, scopes },
    integrationConfig: integration.integrationConfig,
    ...facts,
  };
}
