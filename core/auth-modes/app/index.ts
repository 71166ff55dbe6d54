import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { type AuthMode, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { bearer } from '../bearer-token.ts';
import { credentialInput, identifier, rawOf } from '../credential-input.ts';
import { firstToken } from '../first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../presented.ts';
import { receivedTokens } from '../token-endpoint/token-response.ts';
import { appProof } from './app-proof.ts';
import { fetchInstallationToken, withToken } from './installation-token.ts';
import type { StoredApp } from './stored.ts';

/** An app installed by a user: the integration's private key obtains a short-lived token for each installation. */
export const app: AuthMode<StoredApp> = {
  name: 'APP',
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
  prepare,
  refresh,
  adopt: (input, tokens, received) => withToken(received.previous, receivedTokens(input, tokens, received)),
};

/** Verifies that the app has this installation. `raw` keeps the imported values. */
async function prepare(deps: ModeDeps, input: ModeInput, stored: StoredApp): Promise<StoredApp> {
  const proof = appProof(input.client, deps.now());
  const fetched = await firstToken(() => fetchInstallationToken(deps, input, { stored, proof }));
  return { ...fetched, raw: stored.raw };
}

async function refresh(deps: ModeDeps, input: ModeInput, stored: StoredApp): Promise<StoredApp> {
  const proof = proofOrFailure(deps, input);
  return fetchInstallationToken(deps, input, { stored, proof });
}

/** The integration's settings can be corrected without the user. */
function proofOrFailure(deps: ModeDeps, { client }: ModeInput): string {
  try {
    return appProof(client, deps.now());
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new TokenFailure('transient', cause.message, { cause });
  }
}
