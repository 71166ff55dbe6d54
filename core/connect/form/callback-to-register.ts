import type { Knex } from 'knex';
import { wayOf } from '../../auth-modes/way.ts';
import { usesSharedApp } from '../../connections/integrations/effective-client.ts';
import { redirectUri } from '../../connections/integrations/redirect-uri.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import type { AuthorizationTarget } from '../flows/target.ts';

/**
 * Returns the callback URL to register at the provider, for a developer who tries an integration out: providers reject an
 * unregistered callback URL without naming it. Null in production, and if the environment has no app of its own to register it
 * with.
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
