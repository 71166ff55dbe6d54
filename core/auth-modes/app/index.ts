import * as z from 'zod';
import type { AuthMode, Completed, FlowEnd, ModeDeps, ModeInput } from '../auth-mode.ts';
import { bearer } from '../building-blocks/bearer-token.ts';
import { credentialInput, identifier, rawOf } from '../building-blocks/credential-input.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { appProof } from '../building-blocks/installed-app/app-proof.ts';
import { completeInstallation } from '../building-blocks/installed-app/complete-installation.ts';
import { installRedirect } from '../building-blocks/installed-app/install-redirect.ts';
import {
  fetchInstallationToken,
  renewInstallationToken,
  withToken,
} from '../building-blocks/installed-app/installation-token.ts';
import type { StoredApp } from '../building-blocks/installed-app/stored-app.ts';
import { defined, expires_at, presentRaw, raw, text } from '../building-blocks/presented.ts';
import { receivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

/**
 * An app that users install: with the integration's private key, the service obtains a short-lived token for each installation.
 */
export const app: AuthMode<StoredApp> = {
  name: 'APP',
  reads: ['token_params', 'token_headers'],
  app: ['client_id', 'client_secret', 'scopes', 'app_id', 'app_link', 'private_key'],
  presented: z.strictObject({ type: z.literal('APP'), access_token: text, expires_at, raw }),
  imported: credentialInput(z.strictObject({ app_id: identifier, installation_id: identifier }), (given) => ({
    type: 'APP' as const,
    appId: given.app_id,
    installationId: given.installation_id,
    accessToken: '',
    raw: rawOf(given),
  })),
  present: (stored, options) =>
    defined({
      type: stored.type,
      access_token: stored.accessToken,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  sign: ({ accessToken }) => bearer(accessToken),
  templateValues: ({ accessToken, appId, installationId }) => ({
    accessToken,
    'credentials.access_token': accessToken,
    'credentials.app_id': appId,
    'credentials.installation_id': installationId,
  }),
  begin: (deps, input, flow) => installRedirect(deps, input, flow),
  complete,
  prepare,
  refresh: renewInstallationToken,
  adopt: (input, tokens, received) => withToken(received.previous, receivedTokens(input, tokens, received)),
};

/** Fetches the first token, which proves that the installation belongs to the app. `raw` keeps the imported values. */
async function prepare(deps: ModeDeps, input: ModeInput, stored: StoredApp): Promise<StoredApp> {
  const proof = await appProof(input.client, deps.now());
  const fetched = await firstToken(() => fetchInstallationToken(deps, input, { stored, proof }));
  return { ...fetched, raw: stored.raw };
}

/**
 * Completes an installation. The user's token, if one is requested, only proves that the user may use the installation; it is not
 * stored.
 */
async function complete(deps: ModeDeps, input: ModeInput, { query }: FlowEnd): Promise<Completed<StoredApp>> {
  const { app: credentials, connectionConfig } = await completeInstallation(deps, input, query);
  return { credentials, connectionConfig };
}
