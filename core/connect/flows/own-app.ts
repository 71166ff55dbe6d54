import type { AuthMode, ConfigOverride, ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import { ServiceError } from '../../errors.ts';
import type { AuthorizationTarget } from './target.ts';

type Target = Pick<AuthorizationTarget, 'session' | 'integration' | 'provider'>;

/**
 * Returns the app that the session sets for the connection, in place of the integration's.
 *
 * @throws ServiceError `invalid_auth_mode` if connections of this mode have no app of their own
 */
export function ownAppOf({ session, integration, provider }: Target): ConfigOverride | undefined {
  const { ownApp } = session.authorizationPresets[integration.uniqueKey] ?? {};
  const { auth_mode: mode } = provider.definition;
  if (ownApp === undefined || modeNamed(mode).withOwnApp !== undefined) return ownApp;
  throw new ServiceError('invalid_auth_mode', `connections by ${mode} have no client ID that a connect session could set`);
}

/** Returns the input for requests in the name of the session's app; unchanged without such an app. */
export function asOwnApp(input: ModeInput, app: ConfigOverride | undefined): ModeInput {
  if (app === undefined) return input;
  // The secrets of the integration's app are not sent in the name of another app.
  const { previousSecret: _, privateKey: __, certificate: ___, ...client } = input.client;
  return { ...input, client: { ...client, ...app } };
}

/** Returns the credentials together with the session's app, so that later requests, such as refreshes, use it. */
export function keepOwnApp(mode: AuthMode, stored: StoredCredentials, app: ConfigOverride | undefined): StoredCredentials {
  return app === undefined ? stored : (mode.withOwnApp?.(stored, app) ?? stored);
}
