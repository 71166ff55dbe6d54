import type { ProviderDefinition } from '#contract';
import { type ModeInput, TokenFailure } from '../../../../../core/auth-modes/auth-mode.ts';
import { createOutbound } from '../../../../../core/kit/outbound.ts';
import { type FakeProvider, type ProviderOptions, startFakeProvider } from '../../../../support/fake-provider/fake-provider.ts';
import { use, useEach } from '../../../../support/use.ts';

export const NOW = new Date('2026-03-01T12:00:00Z');
export const REDIRECT_URI = 'https://svc.example/oauth/callback';

/** Returns the input for an integration whose provider has URLs without placeholders; the arguments replace members. */
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

/** Returns the input for an integration whose client is registered at a running fake provider. */
export function inputFor(
  provider: FakeProvider,
  definition: Partial<ProviderDefinition> = {},
  changes: Partial<ModeInput> = {},
): ModeInput {
  const urls = { authorization_url: provider.authorizationUrl, token_url: provider.tokenUrl };
  const client = { clientId: provider.clientId, clientSecret: provider.clientSecret, scopes: ['read'] };
  return modeInput({ ...urls, ...definition }, { client, ...changes });
}

/** Starts a fake provider for each test of a suite, and returns it with the dependencies of a mode. */
export function useProvider(suite: Mocha.Suite, options: ProviderOptions = {}) {
  const outbound = use(suite, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  return { provider: useEach(suite, () => startFakeProvider(options)), deps: { outbound, now: () => NOW } };
}

/** Returns the token failure that the work ends with. @throws when it ends otherwise */
export async function tokenFailure(work: Promise<unknown>): Promise<TokenFailure> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof TokenFailure)) throw new Error('it did not fail', { cause: outcome });
  return outcome;
}
