import type { ProviderDefinition } from '#contract';
import { type ModeInput, TokenFailure } from '../../../../../core/auth-modes/auth-mode.ts';
import { createOutbound } from '../../../../../core/kit/outbound.ts';
import { type FakeProvider, type ProviderOptions, startFakeProvider } from '../../../../support/fake-provider/fake-provider.ts';
import { use, useEach } from '../../../../support/use.ts';

export const NOW = new Date('2026-03-01T12:00:00Z');
export const REDIRECT_URI = 'https://svc.example/oauth/callback';

/**
 * Returns a mode's input for a provider whose URLs have no placeholders. The arguments replace properties of the definition and
 * of the input.
 */
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

/** Returns a mode's input for an integration whose client is registered at this fake provider. */
export function inputFor(
  provider: FakeProvider,
  definition: Partial<ProviderDefinition> = {},
  changes: Partial<ModeInput> = {},
): ModeInput {
  const urls = { authorization_url: provider.authorizationUrl, token_url: provider.tokenUrl };
  const client = { clientId: provider.clientId, clientSecret: provider.clientSecret, scopes: ['read'] };
  return modeInput({ ...urls, ...definition }, { client, ...changes });
}

/** Starts a fake provider for each test of a suite, and returns it with the dependencies that a mode needs to call it. */
export function useProvider(suite: Mocha.Suite, options: ProviderOptions = {}) {
  const outbound = use(suite, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  return { provider: useEach(suite, () => startFakeProvider(options)), deps: { outbound, now: () => NOW } };
}

/** Returns the token failure with which the work ends. @throws if the work ends otherwise */
export async function tokenFailure(work: Promise<unknown>): Promise<TokenFailure> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof TokenFailure)) throw new Error('it did not fail', { cause: outcome });
  return outcome;
}
