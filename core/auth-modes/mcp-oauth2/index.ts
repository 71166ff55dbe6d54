import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../errors.ts';
import { TemplateError } from '../../kit/template.ts';
import type { AuthMode, SigningInput } from '../auth-mode.ts';
import { bearer } from '../building-blocks/bearer-token.ts';
import { defined, oauth2Tokens, presentRaw } from '../building-blocks/presented.ts';
import { covers } from '../building-blocks/server-metadata/index.ts';
import { begin, serverUrl } from './authorize.ts';
import { clientDocument } from './client-metadata.ts';
import { complete, refresh, revoke } from './exchange.ts';
import type { McpGrant, StoredMcpOAuth2 } from './stored.ts';

/**
 * OAuth for servers of the Model Context Protocol. The servers themselves publish where users authorize and where clients are
 * registered.
 */
export const mcpOAuth2: AuthMode<StoredMcpOAuth2> = {
  name: 'MCP_OAUTH2',
  requires: ['mcp_server_url'],
  app: ['client_id', 'client_secret', 'scopes'],
  appNeed: 'optional',
  hasSecretOverlap: true,
  presented: oauth2Tokens,
  present: ({ accessToken, refreshToken, expiresAt, ...stored }, options) =>
    defined({
      type: 'OAUTH2',
      access_token: accessToken,
      refresh_token: options.withRefreshToken ? refreshToken : undefined,
      expires_at: expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  isRefreshable: ({ refreshToken }) => refreshToken !== undefined,
  sign: (stored, input) => bearer(tokenFor(stored, input)),
  templateValues: ({ accessToken }) => ({ accessToken, 'credentials.access_token': accessToken }),
  begin,
  complete,
  refresh,
  keepRefreshToken,
  revoke,
  clientDocument,
};

/**
 * Adds the previous refresh token, provided that it was issued to the same client, by the same issuer and for the same resource,
 * since it can be used only with these. Otherwise returns undefined.
 */
function keepRefreshToken(stored: StoredMcpOAuth2, { refreshToken, ...previous }: StoredMcpOAuth2): StoredMcpOAuth2 | undefined {
  const grantOf = ({ issuer, resource, client }: McpGrant): McpGrant => ({ issuer, resource, client });
  if (refreshToken === undefined || !isDeepStrictEqual(grantOf(stored), grantOf(previous))) return undefined;
  return { ...stored, refreshToken };
}

/**
 * Returns the token if it was issued for the configured server. The server's address comes from the connection configuration,
 * which is not sealed, so it is compared with the resource, which is sealed with the credentials.
 */
function tokenFor({ accessToken, resource }: StoredMcpOAuth2, input: SigningInput): string {
  try {
    if (covers(resource, serverUrl(input))) return accessToken;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  }
  throw new ServiceError('invalid_credentials', 'the credentials of this connection are for another MCP server');
}
