import type { ProviderDefinition } from '#contract';
import type { ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import type { FakeProvider } from '../../../support/fake-provider/fake-provider.ts';

export const REDIRECT_URI = 'https://svc.example/oauth/callback';

/** An integration at a provider whose addresses need no filling; tests lay their own members over it. */
export function modeInput(definition: Partial<ProviderDefinition> = {}, changes: Partial<ModeInput> = {}): ModeInput {
  return {
    provider: 'example',
    definition: {
      display_name: 'Example',
      docs: 'https://docs.example',
      auth_mode: 'OAUTH2',
      authorization_url: 'https://example.com/authorize',
      token_url: 'https://example.com/token',
      ...definition,
    },
    client: { clientId: 'the-client', clientSecret: 'the-secret', scopes: ['read', 'write'] },
    integrationConfig: {},
    connectionConfig: {},
    ...changes,
  };
}

/** The same, registered at a running fake provider. */
export function inputFor(
  provider: FakeProvider,
  definition: Partial<ProviderDefinition> = {},
  changes: Partial<ModeInput> = {},
): ModeInput {
  const urls = { authorization_url: provider.authorizationUrl, token_url: provider.tokenUrl };
  const client = { clientId: provider.clientId, clientSecret: provider.clientSecret, scopes: ['read'] };
  return modeInput({ ...urls, ...definition }, { client, ...changes });
}
