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
 * An app installed by a user, with a token of the installation and one of the user; or credentials in a format of the provider's
 * plugin, whose `proxy.decorate` adds them to requests.
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

/** The token of the installation is the default of requests; a definition may name that of the user. */
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

/** @throws ServiceError `invalid_auth_mode` for a format of a plugin, `missing_client_id` */
async function begin(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect> {
  if (input.definition.installation === undefined)
    throw new ServiceError('invalid_auth_mode', 'this provider is not connected by a redirect');
  return installRedirect(deps, input, flow);
}

async function complete(deps: ModeDeps, input: ModeInput, { query }: FlowEnd): Promise<Completed<StoredCustom>> {
  const { app, user, connectionConfig } = await completeInstallation(deps, input, query);
  if (user === undefined) throw new TokenFailure('transient', 'the definition does not ask for a token of the user any more');
  return { credentials: storedInstallation({ app, user }), connectionConfig };
}

/**
 * Renews both tokens. That of the user last: its refresh token works once, so nothing may fail after it.
 *
 * @throws TokenFailure
 */
async function refresh(deps: ModeDeps, input: ModeInput, { installed }: StoredCustom): Promise<StoredCustom> {
  if (installed === undefined) throw new TokenFailure('refused', 'credentials in a format of a plugin cannot be renewed');
  const app = await renewInstallationToken(deps, input, installed.app);
  const { user } = installed;
  // Users' tokens without a refresh token do not expire.
  const renewed = user.refreshToken === undefined ? user : await refreshUserToken(deps, input, user);
  return storedInstallation({ app, user: renewed });
}

/** An installation with a token of its own and one of the user who proved to be entitled to it. */
interface InstalledApp {
  readonly app: StoredApp;
  readonly user: ReceivedTokens;
}

export interface StoredCustom extends Expiring {
  readonly type: 'CUSTOM';
  /** In a format of the plugin; empty for an installation. */
  readonly raw: JsonObject;
  readonly installed?: InstalledApp;
}

/** They expire with the first of both tokens. */
export function storedInstallation(installed: InstalledApp): StoredCustom {
  const { app, user } = installed;
  const [expiresAt] = [app.expiresAt, user.expiresAt].flatMap((at) => at ?? []).sort();
  return { type: 'CUSTOM', raw: {}, installed, receivedAt: app.receivedAt, ...(expiresAt !== undefined && { expiresAt }) };
}

/** `raw` as it is returned. */
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
