import * as z from 'zod';
import type { JsonObject } from '#contract';
import { ServiceError } from '../../errors.ts';
import {
  type AuthMode,
  type Completed,
  type FlowEnd,
  type FlowStart,
  type ModeDeps,
  type ModeInput,
  type Redirect,
  TokenFailure,
} from '../auth-mode.ts';
import { bearer } from '../building-blocks/bearer-token.ts';
import { completeInstallation } from '../building-blocks/installed-app/complete-installation.ts';
import { installRedirect } from '../building-blocks/installed-app/install-redirect.ts';
import { renewInstallationToken } from '../building-blocks/installed-app/installation-token.ts';
import type { StoredApp } from '../building-blocks/installed-app/stored-app.ts';
import { refreshUserToken } from '../building-blocks/installed-app/user-token.ts';
import { defined, presentRaw, raw } from '../building-blocks/presented.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';
import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

/**
 * An app that users install, with one token for the installation and one for the user; or else credentials in a plugin's own
 * format, which its `proxy.decorate` adds to requests.
 */
export const custom: AuthMode<StoredCustom> = {
  name: 'CUSTOM',
  reads: ['token_params', 'token_headers'],
  app: ['client_id', 'client_secret', 'scopes', 'app_id', 'app_link', 'private_key'],
  presented: z.strictObject({ type: z.literal('CUSTOM'), raw }),
  present: (stored, options) => ({ type: stored.type, raw: presentRaw(shownRaw(stored), options) }),
  isRefreshable: ({ installed }) => installed !== undefined,
  sign: ({ installed }) => bearer(installed?.app.accessToken),
  templateValues,
  redirects: ({ installation }) => installation !== undefined,
  begin,
  complete,
  refresh,
};

/**
 * Returns the template values. Requests carry the installation's token by default, but a definition may name the user's token
 * instead.
 */
function templateValues({ raw, installed }: StoredCustom): Record<string, string> {
  if (installed === undefined)
    return Object.fromEntries(
      Object.entries(raw).flatMap(([name, value]) => (typeof value === 'string' ? [[`credentials.${name}`, value]] : [])),
    );
  const { app, user } = installed;
  return {
    accessToken: app.accessToken,
    'credentials.app.access_token': app.accessToken,
    'credentials.user.access_token': user.accessToken,
    'credentials.app_id': app.appId,
    'credentials.installation_id': app.installationId,
  };
}

/** @throws ServiceError `invalid_auth_mode` for credentials in a plugin's own format; otherwise as `installRedirect` */
async function begin(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect> {
  if (input.definition.installation === undefined)
    throw new ServiceError('invalid_auth_mode', 'this provider is not connected by a redirect');
  return installRedirect(deps, input, flow);
}

async function complete(deps: ModeDeps, input: ModeInput, { query }: FlowEnd): Promise<Completed<StoredCustom>> {
  const { app, user, connectionConfig } = await completeInstallation(deps, input, query);
  if (user === undefined) throw new TokenFailure('transient', 'the definition no longer asks for a token of the user');
  return { credentials: storedInstallation({ app, user }), connectionConfig };
}

/**
 * Refreshes both tokens. The user's token comes last: its refresh token works only once, so nothing that could fail may follow.
 *
 * @throws TokenFailure if one of the two is not issued
 */
async function refresh(deps: ModeDeps, input: ModeInput, { installed }: StoredCustom): Promise<StoredCustom> {
  if (installed === undefined) throw new TokenFailure('refused', 'credentials in a plugin’s own format cannot be refreshed');
  const app = await renewInstallationToken(deps, input, installed.app);
  const { user } = installed;
  // The user's token does not expire if it came without a refresh token.
  const renewed = user.refreshToken === undefined ? user : await refreshUserToken(deps, input, user);
  return storedInstallation({ app, user: renewed });
}

/** An installation with its token, and the token of the user, who has proved that they may use the installation. */
interface InstalledApp {
  readonly app: StoredApp;
  readonly user: ReceivedTokens;
}

export interface StoredCustom extends Expiring {
  readonly type: 'CUSTOM';
  /** The credentials in the plugin's own format; empty for an installation. */
  readonly raw: JsonObject;
  readonly installed?: InstalledApp;
}

/** Returns the stored form of an installation. It expires as soon as one of the two tokens does. */
export function storedInstallation(installed: InstalledApp): StoredCustom {
  const { app, user } = installed;
  const [expiresAt] = [app.expiresAt, user.expiresAt].flatMap((at) => at ?? []).sort();
  return { type: 'CUSTOM', raw: {}, installed, receivedAt: app.receivedAt, ...(expiresAt !== undefined && { expiresAt }) };
}

/** Returns `raw` in the form in which the API shows it. */
function shownRaw({ raw, installed }: StoredCustom): JsonObject {
  if (installed === undefined) return raw;
  const { app, user } = installed;
  return {
    app: defined({
      app_id: app.appId,
      installation_id: app.installationId,
      access_token: app.accessToken,
      expires_at: app.expiresAt,
      raw: app.raw,
    }),
    user: defined({
      access_token: user.accessToken,
      refresh_token: user.refreshToken,
      expires_at: user.expiresAt,
      raw: user.raw,
    }),
  };
}
