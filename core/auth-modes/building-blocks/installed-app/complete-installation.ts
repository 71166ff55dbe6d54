import { checkFields, type JsonObject } from '#contract';
import { ServiceError } from '../../../errors.ts';
import {
  type ClientSettings,
  type FlowEnd,
  InstallationRefused,
  type ModeDeps,
  type ModeInput,
  TokenFailure,
} from '../../auth-mode.ts';
import { keptQuery } from '../kept-values.ts';
import { knownCode } from '../token-endpoint/token-failure.ts';
import type { ReceivedTokens } from '../token-endpoint/token-response.ts';
import { appProof } from './app-proof.ts';
import { fetchInstallationToken } from './installation-token.ts';
import type { StoredApp } from './stored-app.ts';
import { checkUsersInstallation } from './user-installations.ts';
import { exchangeUserCode } from './user-token.ts';

/** Maximum length of an installation ID in characters; anything longer is rejected. */
const MAX_ID_LENGTH = 255;

/** A completed installation. */
interface CompletedInstallation {
  readonly app: StoredApp;
  /** The user's tokens; absent if the definition has no way to check that the user may use the installation. */
  readonly user?: ReceivedTokens;
  readonly connectionConfig: JsonObject;
}

/**
 * Handles the callback of an installation. The token request is authenticated by the app, so its success proves that the
 * installation belongs to the app. The installation ID comes from the browser, so the user's own token has to prove that the user
 * may use the installation, unless the definition has no way to check that.
 *
 * @throws InstallationRefused if an owner has to approve the installation first, or it does not belong to the app or the user;
 *   TokenFailure if a token cannot be obtained; ServiceError `missing_client_id` if the integration lacks an ID or secret of the
 *   app
 */
export async function completeInstallation(
  deps: ModeDeps,
  input: ModeInput,
  query: FlowEnd['query'],
): Promise<CompletedInstallation> {
  const installationId = installationOf(input, query);
  const mustProve = input.definition.installation !== undefined;
  const user = mustProve ? await provenUser(deps, input, { query, installationId }) : undefined;
  const app = await firstInstallationToken(deps, input, installationId);
  const connectionConfig = { ...keptQuery(input, query), installation_id: installationId };
  return { app, connectionConfig, ...(user !== undefined && { user }) };
}

/**
 * Checks that the app has a client secret in addition to its private key, since only such an app can authorize users. This is
 * checked before the browser is sent to the provider, and again at the callback, since the secret may have been removed in
 * between.
 *
 * @throws ServiceError `missing_client_id` if one of the two, or the ID that belongs to it, is missing
 */
export function requireBothSecrets({ appId, privateKey, clientId, clientSecret }: ClientSettings): void {
  if (appId !== undefined && privateKey !== undefined && clientId !== '' && clientSecret !== '') return;
  throw new ServiceError(
    'missing_client_id',
    "the integration needs its app's client_id and client_secret in addition to app_id and private_key: only the user's " +
      'own token proves that an installation belongs to the user',
  );
}

async function provenUser(
  deps: ModeDeps,
  input: ModeInput,
  { query, installationId }: { readonly query: FlowEnd['query']; readonly installationId: string },
): Promise<ReceivedTokens> {
  requireBothSecrets(input.client);
  const user = await exchangeUserCode(deps, input, query);
  await checkUsersInstallation(deps, input, { accessToken: user.accessToken, installationId });
  return user;
}

async function firstInstallationToken(deps: ModeDeps, input: ModeInput, installationId: string): Promise<StoredApp> {
  const { appId = input.client.clientId } = input.client;
  const now = deps.now();
  const stored = { type: 'APP', appId, installationId, accessToken: '', raw: {}, receivedAt: now.toISOString() } as const;
  try {
    return await fetchInstallationToken(deps, input, { stored, proof: await appProof(input.client, now) });
  } catch (cause) {
    if (!(cause instanceof TokenFailure && cause.status === 404)) throw cause;
    throw new InstallationRefused('foreign', 'the installation does not belong to the app', cause);
  }
}

/**
 * Returns the ID of the installation that the callback names. It proves nothing, since anyone can change the ID in the URL; the
 * caller has to check that the user may use the installation.
 *
 * @throws InstallationRefused if the user has only requested the installation; TokenFailure if the callback reports an error, or
 *   has no valid ID
 */
function installationOf({ definition }: Pick<ModeInput, 'definition'>, query: FlowEnd['query']): string {
  const { error, setup_action: action, installation_id: id = '' } = query;
  if (error !== undefined)
    throw new TokenFailure('refused', 'the provider ended the authorization', { providerCode: knownCode(error) });
  if (action === 'request') throw new InstallationRefused('requested', 'an owner must approve the installation first');
  const fields = Object.entries(definition.connection_config ?? {}).filter(([name]) => name === 'installation_id');
  const faults = checkFields(Object.fromEntries(fields), { installation_id: id });
  if (id === '' || id.length > MAX_ID_LENGTH || faults.length > 0)
    throw new TokenFailure('malformed', 'the provider sent the browser back without an installation ID');
  return id;
}
