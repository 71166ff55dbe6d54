import type { JsonObject } from '#contract';
import type { StoredApp } from '../building-blocks/installed-app/stored-app.ts';
import { defined } from '../building-blocks/presented.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';
import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

/** An installation with a token of its own and one of the user who proved to be entitled to it. */
interface Installed {
  readonly app: StoredApp;
  readonly user: ReceivedTokens;
}

export interface StoredCustom extends Expiring {
  readonly type: 'CUSTOM';
  /** In a format of the plugin; empty for an installation. */
  readonly raw: JsonObject;
  readonly installed?: Installed;
}

/** They expire with the first of both tokens. */
export function storedInstallation(installed: Installed): StoredCustom {
  const { app, user } = installed;
  const [expiresAt] = [app.expiresAt, user.expiresAt].flatMap((at) => at ?? []).sort();
  return { type: 'CUSTOM', raw: {}, installed, receivedAt: app.receivedAt, ...(expiresAt !== undefined && { expiresAt }) };
}

/** `raw` as it is returned. */
export function shownRaw({ raw, installed }: StoredCustom): JsonObject {
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
