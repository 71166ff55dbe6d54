import type { Knex } from 'knex';
import { wayOf } from '../../auth-modes/way.ts';
import { usesSharedApp } from '../../connections/integrations/effective-client.ts';
import { redirectUri } from '../../connections/integrations/redirect-uri.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import type { AuthorizationTarget } from '../flows/target.ts';

/**
 * Returns the callback URL to register at the provider, to be shown to a developer who is trying out an integration: providers
 * reject an unregistered callback URL without saying which one it was. Null in production, for sandbox providers, if users do not
 * sign in at the provider, and if the integration uses the shared app, since then there is nothing to register.
 */
export async function callbackToRegister(
  { db, baseUrl }: { readonly db: Knex; readonly baseUrl: string },
  { session, integration, provider }: Pick<AuthorizationTarget, 'session' | 'integration' | 'provider'>,
): Promise<string | null> {
  const { definition } = provider;
  if (wayOf(definition) !== 'sign_in' || definition.sandbox === true || usesSharedApp(integration, provider)) return null;
  const environment = await environmentById(db, session.environmentId);
  return environment?.isProduction === false ? redirectUri(integration, provider, { baseUrl, environment }) : null;
}
