import type { AuthMode, ConfigOverride, ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import { ServiceError } from '../../errors.ts';
import type { AuthorizationTarget } from './target.ts';

type Target = Pick<AuthorizationTarget, 'session' | 'integration' | 'provider'>;

/**
 * The app that the session sets for the connection, in place of the integration's.
 *
 * @throws ServiceError `invalid_auth_mode` if connections of this mode have none
 */
export function ownAppOf({ session, integration, provider }: Target): ConfigOverride | undefined {
  const { ownApp } = session.authorizationPresets[integration.uniqueKey] ?? {};
  const { auth_mode: mode } = provider.definition;
  if (ownApp === undefined || modeNamed(mode).withOwnApp !== undefined) return ownApp;
  throw new ServiceError('invalid_auth_mode', `connections by ${mode} have no client ID that a session could set`);
}

/** The input for requests that the app makes. */
export function asOwnApp(input: ModeInput, app: ConfigOverride | undefined): ModeInput {
  if (app === undefined) return input;
  // Secrets of the integration's app are not sent in the name of another.
  const { previousSecret: _, privateKey: __, certificate: ___, ...client } = input.client;
  return { ...input, client: { ...client, ...app } };
}

/** The credentials with the app, which later requests are made by. */
export function keepOwnApp(mode: AuthMode, stored: StoredCredentials, app: ConfigOverride | undefined): StoredCredentials {
  return app === undefined ? stored : (mode.withOwnApp?.(stored, app) ?? stored);
}
